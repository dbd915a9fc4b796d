import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart } from "@/test-page";
import { FigureView } from "./FigureView";
import { aFigure } from "./sample";

const tokens = aFigure({ id: "cost-tokens" });
const seconds = aFigure({ id: "cost-seconds", x: { ...tokens.x, label: "Seconds" } as typeof tokens.x });
const show = (address: string) =>
  renderPart(<FigureView figure={tokens} others={[seconds]} />, `/sweeps/s1${address}`);
const axis = () => screen.getByLabelText<HTMLSelectElement>("Horizontal axis");

test("the address names the horizontal axis that was chosen, and not the first one", async () => {
  const { router } = await show("");
  expect(axis().value).toBe("cost-tokens");
  await userEvent.selectOptions(axis(), "Seconds");
  expect(axis().value).toBe("cost-seconds");
  expect(router.state.location.search).toEqual({ axes: "cost-seconds" });
  await userEvent.selectOptions(axis(), "cost-tokens");
  expect(router.state.location.search).toEqual({});
});

test("an address with an axis shows it; other figures of the address stay", async () => {
  const { router } = await show("?axes=other+cost-seconds");
  expect(axis().value).toBe("cost-seconds");
  await userEvent.selectOptions(axis(), "cost-tokens");
  expect(router.state.location.search).toEqual({ axes: "other" });
});

test("a figure in a folded part has no width on the screen, and is drawn on paper", async () => {
  const width = vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(0);
  await show("");
  const drawing = () => document.querySelector("[data-drawing]");
  expect(drawing()).toBeNull();
  width.mockReturnValue(700);
  act(() => void fireEvent(window, new Event("beforeprint")));
  await vi.waitFor(() => expect(drawing()).not.toBeNull(), 20_000);
  act(() => void fireEvent(window, new Event("afterprint")));
  expect(drawing()).toBeNull();
  width.mockRestore();
});
