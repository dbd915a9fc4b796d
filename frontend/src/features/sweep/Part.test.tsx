import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { renderPart } from "@/test-page";
import { Part } from "./Part";

afterEach(() => localStorage.clear());

const show = (address = "/sweeps/s1") =>
  renderPart(
    <Part id="located" title="Failures by stage" about="Where questions are lost">
      <p>Content</p>
    </Part>,
    address,
  );

const summary = () => screen.getByText("Failures by stage").closest("summary") as HTMLElement;
const isOpen = () => (summary().closest("details") as HTMLDetailsElement).open;

test("a part is folded under its heading, and stays as the reader leaves it", async () => {
  await show();
  expect(screen.getByRole("heading", { level: 2, name: "Failures by stage" })).toBeVisible();
  expect(isOpen()).toBe(false);
  await userEvent.click(summary());
  expect(isOpen()).toBe(true);
  cleanup();
  await show();
  expect(isOpen()).toBe(true);
  await userEvent.click(summary());
  expect(isOpen()).toBe(false);
});

test.each(["/sweeps/s1?x=1#located", "/sweeps/s1?locatedSort=-n"])("%s opens it", async (address) => {
  await show(address);
  expect(isOpen()).toBe(true);
});

test("it is open on paper, and folded again afterwards", async () => {
  await show();
  act(() => void fireEvent(window, new Event("beforeprint")));
  expect(isOpen()).toBe(true);
  act(() => void fireEvent(window, new Event("afterprint")));
  expect(isOpen()).toBe(false);
});
