import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { useSteps } from "@/components/useSteps";
import { KeyboardPanel } from "@/features/settings/SettingsPage";
import { renderPart } from "@/test-page";
import { Shortcuts } from "./Shortcuts";

const next = vi.fn();

function Part() {
  useSteps({ previous: vi.fn(), next, up: vi.fn() });
  return (
    <>
      <Shortcuts />
      <KeyboardPanel />
      <input aria-label="Name" />
    </>
  );
}

beforeEach(() => {
  localStorage.clear();
  next.mockClear();
});

test("'?' lists the shortcuts", async () => {
  await renderPart(<Part />);
  await userEvent.keyboard("?");
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("Next question");
});

test("when the list is closed, what had the focus before has it again", async () => {
  await renderPart(
    <>
      <Part />
      <button type="button">Before</button>
    </>,
  );
  screen.getByRole("button", { name: "Before" }).focus();
  await userEvent.keyboard("?");
  await screen.findByRole("dialog");
  await userEvent.keyboard("{Escape}");
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Before" })).toHaveFocus());
});

test("what is typed into a field is no shortcut", async () => {
  await renderPart(<Part />);
  await userEvent.type(screen.getByLabelText("Name"), "j?");
  expect(next).not.toHaveBeenCalled();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("switched off in the settings, no single key does anything, and that is kept", async () => {
  await renderPart(<Part />);
  await userEvent.keyboard("j");
  expect(next).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("checkbox"));
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("j{ArrowRight}?");
  expect(next).toHaveBeenCalledOnce();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(localStorage.getItem("passer.shortcuts")).toBe("false");
  await userEvent.click(screen.getByRole("checkbox"));
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("j");
  expect(next).toHaveBeenCalledTimes(2);
});
