/** Values of a judged column: verdict.json states the judge's marks, and each value is the mean of those of its runs. */
import type { Wrong } from "./steps";
import { type Given, isSame } from "./verdict-check";
import type { Judged } from "./verdict-form";

/** Reasons that the system under test caused: such an answer counts as 0, all other missing values are left out. */
const CAUSED_BY_SYSTEM = new Set([
  "empty_answer",
  "no_tokens",
  "constant_vector",
  "abstained",
  "no_citations",
]);
type Mark = Judged["runs"][number]["marks"][number];

/** The first thing that is wrong with the judge's marks, or with a value that does not follow from them. */
export function judgedValues(given: Given, judged: Judged): Wrong | null {
  const { document } = given;
  if (judged.column !== document.rule.primary) return { why: "verdict_misfit", field: "judged.column" };
  const ids = document.configurations.flatMap(({ runs }) => runs.map(({ id }) => id));
  if (
    !isSame(
      judged.runs.map(({ id }) => id),
      ids,
    )
  )
    return { why: "verdict_misfit", field: "judged.runs" };
  for (const [place, { marks }] of judged.runs.entries()) {
    if (marks.length !== document.questions.length)
      return { why: "verdict_misfit", field: `judged.runs[${place}].marks` };
    const lost = marks.findIndex((mark) => mark.judgements.some((each) => each >= judged.judgements.length));
    if (lost >= 0) return { why: "verdict_misfit", field: `judged.runs[${place}].marks[${lost}].judgements` };
  }
  return unanswered(given, judged) ?? unmarked(given, judged);
}

/** A value of an answer that this run does not have. */
function unanswered({ document, manifest, records }: Given, judged: Judged): Wrong | null {
  const answered = new Set(records.flatMap(({ id, state }) => (state === "failed" ? [] : [id])));
  const place = judged.runs.findIndex(({ id }) => id === manifest.run.id);
  const number = (judged.runs[place]?.marks ?? []).findIndex(
    ({ value }, question) => value !== null && !answered.has(document.questions[question] ?? ""),
  );
  if (number < 0) return null;
  const field = `judged.runs[${place}].marks[${number}].value`;
  return { why: "other_value", facts: [document.questions[number] ?? ""], field };
}

/** The first value that is not the mean of the marks of the configuration's runs; null was left out everywhere. */
function unmarked({ document }: Given, judged: Judged): Wrong | null {
  const marksOf = new Map(judged.runs.map(({ id, marks }) => [id, marks]));
  for (const [place, { runs, values }] of document.configurations.entries()) {
    for (const [number, value] of values.entries()) {
      const known = runs.flatMap(({ id }) => worth(marksOf.get(id)?.[number]));
      const follows = known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : null;
      if (value !== null && !isSame(value, follows)) {
        const field = `configurations[${place}].values[${number}]`;
        return { why: "other_value", facts: [document.questions[number] ?? ""], field };
      }
    }
  }
  return null;
}

function worth(mark: Mark | undefined): number[] {
  if (!mark) return [];
  if (mark.value !== null) return [mark.value];
  return CAUSED_BY_SYSTEM.has(mark.reason ?? "") ? [0] : [];
}
