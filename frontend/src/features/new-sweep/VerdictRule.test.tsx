import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { DEFAULTS, type SweepForm } from "./form";
import { useSweepForm } from "./useSweepForm";
import { VerdictRule } from "./VerdictRule";

afterEach(() => vi.unstubAllGlobals());

function Probe({ start }: { start: SweepForm }) {
  return <VerdictRule form={useSweepForm(start, "")} />;
}

async function show(start: Partial<SweepForm>): Promise<HTMLDetailsElement> {
  // The height of a text area follows its fonts, which this document has not.
  Object.assign(document, { fonts: new EventTarget() });
  stubServer(() => ({ items: [] }));
  await renderPart(<Probe start={{ ...DEFAULTS, ...start }} />);
  const summary = await screen.findByText("Statistics, cost and hypothesis");
  return summary.closest("details") as HTMLDetailsElement;
}

test("metric and margin are in view; the rest is folded, and what it sets is said", async () => {
  const folded = await show({});
  expect(folded.open).toBe(false);
  expect(folded).toContainElement(screen.getByLabelText("Alpha"));
  expect(folded).not.toContainElement(screen.getByLabelText("Margin"));
  expect(
    screen.getByText(/^Without a hypothesis the verdict is exploratory\. Significance level 0\.05/),
  ).toBeVisible();
});

test("a hypothesis or a second look is in view, and stays so while it is removed", async () => {
  const folded = await show({ hypothesis: "A threshold is better." });
  expect(folded.open).toBe(true);
  await userEvent.clear(screen.getByLabelText("Hypothesis"));
  expect(folded.open).toBe(true);
});
