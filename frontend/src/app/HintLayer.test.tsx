import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { Hint } from "@/components/Hint";
import { HintLayer } from "./HintLayer";

const [shown, hidden] = [vi.fn(), vi.fn()];

beforeEach(() => {
  shown.mockClear();
  hidden.mockClear();
  // The document of the tests has no top layer.
  HTMLElement.prototype.showPopover = function () {
    shown(this.textContent);
  };
  HTMLElement.prototype.hidePopover = hidden;
  render(
    <>
      <HintLayer />
      <Hint text="Coefficient of variation">CV</Hint>
      <button type="button">Plain</button>
    </>,
  );
});

function focusByKeyboard(element: HTMLElement) {
  vi.spyOn(element, "matches").mockImplementation((selector) => selector === ":focus-visible");
  fireEvent.focusIn(element);
}

test("what hover shows is reached with the Tab key", () => {
  const hint = screen.getByText("CV");
  expect(hint.tabIndex).toBe(0);
  focusByKeyboard(hint);
  expect(shown).toHaveBeenCalledExactlyOnceWith("Coefficient of variation");
});

test("touch shows it, and a mouse leaves it to the browser", () => {
  fireEvent.pointerUp(screen.getByText("CV"), { pointerType: "mouse" });
  expect(shown).not.toHaveBeenCalled();
  fireEvent.pointerUp(screen.getByText("CV"), { pointerType: "touch" });
  expect(shown).toHaveBeenCalledExactlyOnceWith("Coefficient of variation");
});

test("Escape, scrolling, leaving and another place hide it", () => {
  focusByKeyboard(screen.getByText("CV"));
  hidden.mockClear();
  fireEvent.keyDown(document, { key: "Escape" });
  fireEvent.scroll(document);
  fireEvent.focusOut(screen.getByText("CV"));
  fireEvent.pointerUp(screen.getByText("Plain"), { pointerType: "touch" });
  expect(hidden).toHaveBeenCalledTimes(4);
});

test("a short form without an explanation is no stop of the Tab key", () => {
  render(<Hint text={undefined}>n</Hint>);
  expect(screen.getByText("n").tabIndex).toBe(-1);
});
