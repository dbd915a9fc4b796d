import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { useSteps } from "./useSteps";

const WIDE = 900;

function Page({ previous, next, up }: Parameters<typeof useSteps>[0]) {
  useSteps({ previous, next, up });
  return (
    <div data-testid="table" style={{ overflowX: "auto" }}>
      <button type="button">Inside</button>
    </div>
  );
}

function show() {
  const steps = { previous: vi.fn(), next: vi.fn(), up: vi.fn() };
  render(<Page {...steps} />);
  return steps;
}

test("keys lead to the neighbours and back to the list", async () => {
  const { previous, next, up } = show();
  await userEvent.keyboard("{ArrowRight}j{ArrowLeft}ku");
  expect([previous, next, up].map(({ mock }) => mock.calls.length)).toEqual([2, 2, 1]);
});

test("inside what scrolls sideways arrows scroll, and letters still lead on", async () => {
  const { previous, next } = show();
  Object.defineProperty(screen.getByTestId("table"), "scrollWidth", { value: WIDE });
  await userEvent.click(screen.getByRole("button", { name: "Inside" }));
  await userEvent.keyboard("{ArrowRight}{ArrowLeft}");
  expect(next).not.toHaveBeenCalled();
  expect(previous).not.toHaveBeenCalled();
  await userEvent.keyboard("jk");
  expect(next).toHaveBeenCalledOnce();
  expect(previous).toHaveBeenCalledOnce();
});

test("a table that is wholly in view has nothing to scroll", async () => {
  const { next } = show();
  await userEvent.click(screen.getByRole("button", { name: "Inside" }));
  await userEvent.keyboard("{ArrowRight}");
  expect(next).toHaveBeenCalledOnce();
});
