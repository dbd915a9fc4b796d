import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { Judged } from "./Judged";

afterEach(() => vi.unstubAllGlobals());

const CAUTION = /^One judgement is weak evidence/;

/** The page of an answer with one judged column; `agreement` is what the server says of judge and people. */
async function show(agreement: object | number, rated: Record<string, number> = {}) {
  const mark = {
    column: "Answer correctness",
    repeat: 1,
    value: 0.7,
    reason: null,
    note: "",
    judgement_keys: [],
  };
  const asked = stubServer(({ path }) => {
    if (path.endsWith("/judged"))
      return { items: [{ assessment_id: "a1", judge: "mistral", rated, marks: [mark] }] };
    if (path.endsWith("/agreement")) return agreement;
    return { items: [] };
  });
  await renderPart(<Judged run="r" number={0} />);
  await screen.findByText("Judged by mistral");
  await waitFor(() => expect(asked.some(({ path }) => path.endsWith("/agreement"))).toBe(true));
}

const agreed = (kappa: number | null) => ({
  columns: [{ column: "Answer correctness", agreement: kappa === null ? null : { categories: { kappa } } }],
});

test("a value says that it is uncalibrated until people have rated its column", async () => {
  await show(agreed(null), { Faithfulness: 2 });
  expect(await screen.findByText("Uncalibrated.")).toBeVisible();
  cleanup();
  await show(agreed(null), { "Answer correctness": 1 });
  await screen.findByText(CAUTION);
  expect(screen.queryByText("Uncalibrated.")).toBeNull();
});

test("one judgement is no weak evidence where people agree with the judge by a kappa of .6", async () => {
  await show(agreed(0.6));
  await waitFor(() => expect(screen.queryByText(CAUTION)).toBeNull());
});

test.each([
  ["people agree less", agreed(0.59)],
  ["nobody has rated", agreed(null)],
  ["the agreement is refused", 409],
])("the caution stays where %s", async (_, agreement) => {
  await show(agreement);
  expect(await screen.findByText(CAUTION)).toBeVisible();
});
