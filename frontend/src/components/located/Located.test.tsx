import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { LabelBars, StackedCounts } from "./Located";

test("a bar for each label that occurs, in the order in which labels are tried, chooses its questions", async () => {
  const choose = vi.fn();
  const { rerender } = render(
    <LabelBars counts={{ fine: 3, cut: 1 }} n={4} chosen={undefined} choose={choose} />,
    { wrapper: MantineProvider },
  );
  const bars = screen.getAllByRole("button");
  expect(bars.map((bar) => bar.textContent)).toEqual([
    "Gold passage retrieved but not kept1 of 4",
    "No failure3 of 4",
  ]);
  await userEvent.click(bars[0] as HTMLElement);
  expect(choose).toHaveBeenLastCalledWith("cut");
  rerender(<LabelBars counts={{ fine: 3, cut: 1 }} n={4} chosen="cut" choose={choose} />);
  const pressed = screen.getByRole("button", { pressed: true });
  await userEvent.click(pressed);
  expect(choose).toHaveBeenLastCalledWith(undefined);
});

test("a stacked bar says its counts", () => {
  render(<StackedCounts counts={{ abstained: 2, fine: 2 }} n={4} />, { wrapper: MantineProvider });
  expect(screen.getByTitle("Abstained with gold passage: 2; No failure: 2")).toBeInTheDocument();
});
