import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { readProblem } from "@/api/problem";
import type { Wording } from "@/words/sentences";
import { ProblemNotice } from "./ProblemNotice";
import { Said, saidOf } from "./Said";

vi.mock("@/words", async () => ({ words: (await import("@/words/bg")).bg }));

const ENGLISH = "No threshold is better than the baseline: of 2 compared with k = 4, none has ...";
const WORDING: Wording = { code: "recommendation.none", values: { n: 2, baseline: "k = 4", p: 0.2134 } };

test("a sentence whose wording is known is said in the reader's language, with the page's numbers", () => {
  render(<Said text={ENGLISH} wordings={{ [ENGLISH]: WORDING }} />);
  expect(
    screen.getByText(/^Никой праг не е по-добър от базата: от 2 конфигурации, сравнени с k = 4,/),
  ).toHaveTextContent("p на печалба е .213");
  expect(saidOf(ENGLISH, { [ENGLISH]: WORDING })).toMatch(/^Никой праг/);
});

test("a gain stands with sign and points, a share in per cent, large counts with a space", () => {
  const best: Wording = { code: "crossing.best", values: { threshold: 0.55, gain: -1.234 } };
  expect(saidOf("x", { x: best })).toBe("0.55 (−1.23 точки)");
  const rows: Wording = { code: "pool.given", values: { source: "import S (sheets-1)", rows: 16236 } };
  expect(saidOf("x", { x: rows })).toBe("константите на внесените листове S (sheets-1), 16\u202f236 реда");
});

test("a sentence that is known in English only is marked as English, and shown", () => {
  render(<Said text="Something new of the server." wordings={{}} />);
  expect(screen.getByText("Something new of the server.")).toHaveAttribute("lang", "en");
});

test("what the page itself says is not marked", () => {
  render(
    <p>
      <Said text="Сървърът не отговаря." wordings={undefined} />
    </p>,
  );
  expect(screen.getByText("Сървърът не отговаря.")).not.toHaveAttribute("lang");
});

test("a problem is said by its wording, its fields too; one without is English; a fallback is the page's own", () => {
  const detail = "There is no run 'x': `passer runs` lists those that there are.";
  const wordings = { [detail]: { code: "problem.no-run", values: { run: "x" } } };
  const errors = [{ message: "is too short", field: "name", row: null }];
  const show = (body: unknown) =>
    render(
      <MantineProvider>
        <ProblemNotice error={readProblem(404, body, "Без обяснение.")} />
      </MantineProvider>,
    );
  show({ title: "Not found", status: 404, detail, errors, wordings });
  expect(screen.getByText(/^Няма изпълнение „x“/)).toBeVisible();
  expect(screen.getByText("is too short")).toHaveAttribute("lang", "en");
  show(null);
  expect(screen.getByText("Без обяснение.")).not.toHaveAttribute("lang");
});
