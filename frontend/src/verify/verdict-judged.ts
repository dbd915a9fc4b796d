/** Values of a judged column: marks follow from the judge's replies, and each value is the mean of its runs' marks. */
import { digestOf } from "./bytes";
import { canonical } from "./canonical";
import type { QuestionRecord } from "./forms";
import { FACTS_AT_ONCE, factsOf, followed, formulaOf, type Reply, trimmed } from "./judge-formulas";
import type { Violation } from "./steps";
import { isSame } from "./verdict-check";
import type { Judged, VerdictDocument } from "./verdict-form";
import { ratingsWrong } from "./verdict-ratings";

/** Reasons that the system under test caused: such an answer counts as 0, all other missing values are left out. */
const CAUSED_BY_SYSTEM = new Set([
  "empty_answer",
  "no_tokens",
  "constant_vector",
  "abstained",
  "no_citations",
]);
/** What each of these tasks is given, in order; all others are also given passages, whose texts a bundle lacks. */
const GIVEN: Readonly<Record<string, readonly string[] | undefined>> = {
  correctness: ["question", "reference", "answer"],
  standalone: ["question"],
  statements: ["question", "answer"],
  nuggets: ["question", "reference"],
  "assign-nuggets": ["question", "answer", "facts"],
};
/** Version of how prompts are put together. */
const FORM = 1;

type Mark = Judged["runs"][number]["marks"][number];
/** Texts of one question of a run; the answer is null where it failed. */
export type Texts = Pick<QuestionRecord, "question" | "reference" | "other_references" | "answer">;
/** Texts by id of the question, in order, of the runs whose records are at hand, by id of the run. */
type TextsOfRuns = ReadonlyMap<string, ReadonlyMap<string, Texts>>;

interface Given {
  document: VerdictDocument;
  judged: Judged;
  texts: TextsOfRuns;
  /** Ids of the questions in the order of the marks. */
  asked: readonly string[];
  /** Each mark with its path, and the texts of its question where they are at hand. */
  marks: readonly { path: string; mark: Mark; texts: Texts | null }[];
}

/** Whether the marks of a column follow from replies alone. */
export function isRecomputed({ column }: Judged): boolean {
  return formulaOf(column) !== undefined;
}

/** The first mark or value that cannot be; null where the values follow from the replies. */
export async function judgedWrong(
  document: VerdictDocument,
  judged: Judged,
  texts: TextsOfRuns,
): Promise<Violation | null> {
  if (judged.column !== document.rule.primary) return { why: "verdict_misfit", field: "judged.column" };
  const asked = judged.questions ?? document.questions;
  const failed: Texts = { question: "", reference: "", answer: null };
  const marks = judged.runs.flatMap(({ id, marks: own }, place) =>
    own.map((mark, number) => {
      const known = texts.get(id);
      const path = `judged.runs[${place}].marks[${number}]`;
      return { path, mark, texts: known ? (known.get(asked[number] ?? "") ?? failed) : null };
    }),
  );
  const given = { document, judged, texts, asked, marks };
  return (
    misfit(given) ??
    (await misstated(given)) ??
    unfollowed(given) ??
    (await otherTexts(given)) ??
    leftOut(given) ??
    unmarked(given) ??
    ratingsWrong(judged)
  );
}

function misfit({ document, judged, texts, asked, marks }: Given): Violation | null {
  const at = (field: string): Violation => ({ why: "verdict_misfit", field });
  const ids = document.configurations.flatMap(({ runs }) => runs.map(({ id }) => id));
  const own = judged.runs.map(({ id }) => id);
  if (!isSame(own, ids)) return at("judged.runs");
  if (new Set(asked).size !== asked.length) return at("judged.questions");
  if (judged.questions && [...texts.values()].some((known) => !isSame([...known.keys()], asked))) {
    return at("judged.questions");
  }
  const odd = judged.runs.findIndex((run) => run.marks.length !== asked.length);
  if (odd >= 0) return at(`judged.runs[${odd}].marks`);
  const lost = marks.find(({ mark }) => mark.judgements.some((each) => each >= judged.judgements.length));
  return lost ? at(`${lost.path}.judgements`) : null;
}

/** What the judgements state otherwise than their tasks, or than one another. */
async function misstated({ judged, marks }: Given): Promise<Violation | null> {
  const { judgements, tasks = [] } = judged;
  if (!judged.questions) return null;
  const used = [...new Set(marks.flatMap(({ mark }) => mark.judgements))];
  if (used.length !== judgements.length || used.some((position, place) => position !== place)) {
    return { why: "other_judgements", field: "judged.judgements" };
  }
  const digests = new Map(tasks.map(({ name, digest }) => [name, digest]));
  for (const [place, { instruction, reply_schema: schema, examples, digest }] of tasks.entries()) {
    if ((await digestOf(canonical({ form: FORM, instruction, schema, examples }))) !== digest) {
      return { why: "other_own_digest", field: `judged.tasks[${place}].digest` };
    }
  }
  const keys = new Set<string>();
  for (const [place, { key, task, task_digest, model_digest }] of judgements.entries()) {
    const at = (name: string): Violation => ({
      why: "other_judgements",
      field: `judged.judgements[${place}].${name}`,
    });
    if (digests.get(task) !== task_digest) return at("task_digest");
    if (model_digest !== judgements[0]?.model_digest) return at("model_digest");
    if (keys.has(key)) return at("key");
    keys.add(key);
  }
  return null;
}

/** The first mark that does not follow from its replies. */
function unfollowed(given: Given): Violation | null {
  if (!isRecomputed(given.judged)) return null;
  const found = given.marks.find(({ mark }) => !follows(given, mark));
  return found ? { why: "other_mark", field: `${found.path}.value` } : null;
}

function follows({ judged }: Given, mark: Mark): boolean {
  if (mark.judgements.length === 0) return mark.value === null;
  const isUnjudged = mark.reason === "judge_failed";
  // Earlier versions stated the replies that there were beside one that the server failed to give.
  if (isUnjudged && !judged.questions) return true;
  const found = followed(judged.column, repliesOf(judged, mark));
  return found ? found.reason === mark.reason && isSame(found.value, mark.value) : isUnjudged;
}

/** The first mark or judgement that is not of the texts of its run. */
async function otherTexts({ judged, marks }: Given): Promise<Violation | null> {
  for (const { path, mark, texts } of marks) {
    if (!texts) continue;
    const name = otherState(mark, texts, judged.questions !== undefined);
    if (name) return { why: "other_mark", field: `${path}.${name}` };
    if (!isRecomputed(judged) || texts.answer === null) continue;
    const given = await givenDigests(repliesOf(judged, mark), texts);
    const other = mark.judgements.find((position, place) => {
      const expected = given[place] ?? null;
      return expected !== null && expected !== judged.judgements[position]?.given_digest;
    });
    if (other !== undefined) {
      return { why: "other_texts", field: `judged.judgements[${other}].given_digest` };
    }
  }
  return null;
}

/** The member of a mark that an answer, or the lack of one, contradicts. */
function otherState({ value, reason }: Mark, { answer }: Texts, isWhole: boolean): "value" | "reason" | null {
  if (answer === null && value !== null) return "value";
  if (isWhole && (answer === null) !== (reason === "generation_failed")) return "reason";
  return reason === "empty_answer" && trimmed(answer ?? "") !== "" ? "reason" : null;
}

/** Digest of what each reply's ask was given; null where it read passages. */
async function givenDigests(replies: readonly Reply[], texts: Texts): Promise<(string | null)[]> {
  const facts = replies.some(({ task }) => task === "assign-nuggets") ? factsOf(replies[0]?.value) : [];
  // Nothing follows from such replies, and no text can be compared.
  if (facts === null) return [];
  return Promise.all(
    replies.map(({ task }, place) => {
      const names = Object.hasOwn(GIVEN, task) ? GIVEN[task] : undefined;
      if (!names) return null;
      const start = (place - 1) * FACTS_AT_ONCE;
      const known: Record<string, unknown> = { ...texts, facts: facts.slice(start, start + FACTS_AT_ONCE) };
      return digestOf(
        canonical(names.map((name) => (name === "reference" ? referencesOf(texts) : [name, known[name]]))),
      );
    }),
  );
}

/** Right answers as a judge is given them. */
function referencesOf({ reference, other_references = [] }: Texts): [string, string | string[]] {
  return other_references.length > 0
    ? ["references", [reference, ...other_references]]
    : ["reference", reference];
}

/** Whether the verdict lacks a question that has a value, or has them in another order. */
function leftOut({ document, judged, asked }: Given): Violation | null {
  if (!judged.questions) return null;
  const known = judged.runs.flatMap(({ marks }) =>
    marks.flatMap((mark, number) => (worth(mark).length > 0 ? [asked[number] ?? ""] : [])),
  );
  const isWhole = isSame([...new Set(known)], document.questions);
  return isWhole ? null : { why: "verdict_misfit", field: "questions" };
}

/** The first value that is not the mean of the marks of the configuration's runs. */
function unmarked({ document, judged, asked }: Given): Violation | null {
  const places = new Map(asked.map((id, place) => [id, place]));
  const marksOf = new Map(judged.runs.map(({ id, marks }) => [id, marks]));
  for (const [place, { runs, values }] of document.configurations.entries()) {
    for (const [number, value] of values.entries()) {
      const at = places.get(document.questions[number] ?? "") ?? -1;
      const known = runs.flatMap(({ id }) => worth(marksOf.get(id)?.[at]));
      const mean = known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : null;
      if (!isSame(value, mean)) {
        const field = `configurations[${place}].values[${number}]`;
        return { why: "other_value", facts: [document.questions[number] ?? ""], field };
      }
    }
  }
  return null;
}

function repliesOf({ judgements }: Judged, mark: Mark): Reply[] {
  return mark.judgements.map((position) => judgements[position] as Reply);
}

function worth(mark: Mark | undefined): number[] {
  if (!mark) return [];
  if (mark.value !== null) return [mark.value];
  return CAUSED_BY_SYSTEM.has(mark.reason ?? "") ? [0] : [];
}
