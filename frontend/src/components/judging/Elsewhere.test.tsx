import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { CarriedLabels } from "@/api/types";
import { renderPart } from "@/test-page";
import { Elsewhere } from "./Calibration";

const found: CarriedLabels = {
  assessment_id: "a1",
  source: "Rated sweep",
  errors: {
    yes: { n: 20, right: 16, share: 16 / 17, size: 20 },
    no: { n: 10, right: 9, share: 0.9, size: 10 },
  },
  runs: [
    {
      run_id: "r1",
      n: 40,
      judge_mean: 0.25,
      corrected: { value: 0.216, error: 0.106, interval: { low: 0.009, high: 0.423 } },
    },
  ],
  warnings: [],
};

test("labels of another sweep are counted, and weighted where the draw preferred some of them", async () => {
  await renderPart(<Elsewhere column="Answerability" found={found} names={new Map([["r1", "top-k 10"]])} />);
  expect(await screen.findByText("16 of 20; 0.9412 when weighted by the draw")).toBeVisible();
  expect(screen.getByText("9 of 10")).toBeVisible();
  expect(screen.getByRole("row", { name: /top-k 10.*0\.2500.*0\.2160/ })).toBeVisible();
});
