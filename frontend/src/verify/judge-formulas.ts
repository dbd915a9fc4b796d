/** What follows from a judge's replies alone: docs/bundle.md, "Values by a judge". */
import type { Judged } from "./verdict-form";

export type Reply = Judged["judgements"][number];
/** A value, or the reason why there is none. */
type Followed = { value: number | null; reason: string | null };

const SUPPORT = new Map([
  ["support", 1],
  ["partial", 0.5],
  ["not", 0],
]);
export const FACTS_AT_ONCE = 10;
/** Tasks whose replies count like those of another one, which reads a reference where they read passages. */
const SAME_FORM: Readonly<Record<string, string | undefined>> = { "passage-nuggets": "nuggets" };
const NAMED_REASONS = ["cut_off", "not_json", "off_schema", "prompt_too_long", "no_logprobs"];
/** White space that is cut from the ends of texts. */
const BLANK = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const ENDS = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "g");

/** Replies of another form than the column's tasks have. */
class Unreadable extends Error {}

interface Formula {
  /** Task of the first reply, and of those that follow it. */
  tasks: readonly string[];
  of: (values: readonly unknown[]) => number | string;
  /** Whether the first reply decides what is asked next. */
  inTurn?: boolean;
}

export function trimmed(text: string): string {
  return text.replace(ENDS, "");
}

/** What follows from one reply or more; null where nothing does. */
export function followed(column: string, replies: readonly Reply[]): Followed | null {
  const formula = formulaOf(column);
  if (!formula) return null;
  const { tasks, of, inTurn } = formula;
  const isOther = ({ task }: Reply, place: number) =>
    (SAME_FORM[task] ?? task) !== tasks[Math.min(place, tasks.length - 1)];
  if (replies.some(isOther)) return null;
  const failed = replies.findIndex(({ reason }) => reason !== null);
  if (failed >= 0) {
    if (inTurn && failed === 0 && replies.length > 1) return null;
    const reason = replies[failed]?.reason ?? "";
    return { value: null, reason: NAMED_REASONS.includes(reason) ? reason : "judge_failed" };
  }
  try {
    const found = of(replies.map(({ value }) => value));
    return typeof found === "string" ? { value: null, reason: found } : { value: found, reason: null };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** Texts of the key facts of a reply; null where it has another form. */
export function factsOf(reply: unknown): string[] | null {
  try {
    return [...nuggetsOf(reply).keys()];
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) {
    throw new Unreadable();
  }
  return (value as Record<string, unknown>)[name];
}

function listOf(value: unknown, name: string): unknown[] {
  const found = memberOf(value, name);
  if (!Array.isArray(found)) throw new Unreadable();
  return found;
}

function textOf(value: unknown, choices?: readonly string[]): string {
  if (typeof value !== "string" || (choices && !choices.includes(value))) throw new Unreadable();
  return value;
}

function gradeOf(value: unknown, highest: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > highest) {
    throw new Unreadable();
  }
  return value;
}

function choicesOf(value: unknown, name: string, choices: readonly string[], length: number): string[] {
  const found = listOf(value, name).map((each) => textOf(each, choices));
  if (found.length !== length) throw new Unreadable();
  return found;
}

function counted(values: readonly unknown[], expected: number): void {
  if (values.length !== expected) throw new Unreadable();
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function ofOne(task: string, member: string, highest: number): Formula {
  const of = (values: readonly unknown[]) => {
    counted(values, 1);
    return gradeOf(memberOf(values[0], member), highest) / highest;
  };
  return { tasks: [task], of };
}

function ofEach(task: string, highest: number): Formula {
  const of = (values: readonly unknown[]) =>
    sumOf(values.map((value) => gradeOf(memberOf(value, "b_grade"), highest))) / (highest * values.length);
  return { tasks: [task], of };
}

function ofStatements(isMet: (verdict: string) => boolean): Formula {
  const of = (values: readonly unknown[]) => {
    const texts = listOf(values[0], "a_statements").map((each) => trimmed(textOf(each)));
    const statements = new Set(texts.filter((text) => text !== ""));
    counted(values, statements.size > 0 ? 2 : 1);
    if (statements.size === 0) return "no_facts";
    const verdicts = choicesOf(values[1], "b_verdicts", ["yes", "no", "contradicted"], statements.size);
    return verdicts.filter(isMet).length / verdicts.length;
  };
  return { tasks: ["statements", "supported"], of, inTurn: true };
}

/** Whether each key fact is vital, by its text; a fact that occurs twice has its last importance. */
function nuggetsOf(reply: unknown): Map<string, boolean> {
  const facts = new Map<string, boolean>();
  for (const each of listOf(reply, "a_nuggets")) {
    const text = trimmed(textOf(memberOf(each, "a_text")));
    facts.set(text, textOf(memberOf(each, "b_importance"), ["vital", "okay"]) === "vital");
  }
  facts.delete("");
  return facts;
}

interface Rated {
  isVital: boolean;
  level: number;
}

function ofNuggets(share: (rated: readonly Rated[]) => number | null): Formula {
  const of = (values: readonly unknown[]) => {
    const facts = [...nuggetsOf(values[0]).values()];
    counted(values, 1 + Math.ceil(facts.length / FACTS_AT_ONCE));
    const levels = values.slice(1).flatMap((value, part) => {
      const length = Math.min(FACTS_AT_ONCE, facts.length - part * FACTS_AT_ONCE);
      return choicesOf(value, "b_support", [...SUPPORT.keys()], length);
    });
    const rated = facts.map((isVital, place) => ({ isVital, level: SUPPORT.get(levels[place] ?? "") ?? 0 }));
    return share(rated) ?? "no_nuggets";
  };
  return { tasks: ["nuggets", "assign-nuggets"], of, inTurn: true };
}

function meanOf(values: readonly number[]): number | null {
  return values.length > 0 ? sumOf(values) / values.length : null;
}

const isVital = (each: Rated) => each.isVital;
const strict = ({ level }: Rated) => (level === 1 ? 1 : 0);
const graded = ({ level }: Rated) => level;
const weightOf = (each: Rated) => (each.isVital ? 1 : 0.5);

function weighted(rated: readonly Rated[]): number | null {
  const weight = sumOf(rated.map(weightOf));
  return weight > 0 ? sumOf(rated.map((each) => weightOf(each) * each.level)) / weight : null;
}

function precision(values: readonly unknown[]): number {
  let [hits, total] = [0, 0];
  for (const [place, value] of values.entries()) {
    if (gradeOf(memberOf(value, "b_useful"), 1) === 0) continue;
    hits += 1;
    total += hits / (place + 1);
  }
  return hits > 0 ? total / hits : 0;
}

function recall(values: readonly unknown[]): number {
  const verdicts = values.flatMap((value) => listOf(value, "b_verdicts").map((each) => gradeOf(each, 1)));
  if (verdicts.length === 0) throw new Unreadable();
  return sumOf(verdicts) / verdicts.length;
}

/** By column. The other columns also need texts, or vectors of an embedding model. */
const FORMULAS: Readonly<Record<string, Formula | undefined>> = {
  "Answer correctness": ofOne("correctness", "b_grade", 10),
  Answerability: ofOne("answerability", "b_decision", 1),
  "Stand-alone question": ofOne("standalone", "b_grade", 10),
  Faithfulness: ofStatements((verdict) => verdict === "yes"),
  "Not contradicted": ofStatements((verdict) => verdict !== "contradicted"),
  Relevance: ofOne("aspects", "b_relevance", 2),
  Accuracy: ofOne("aspects", "c_accuracy", 2),
  Completeness: ofOne("aspects", "d_completeness", 2),
  Precision: ofOne("aspects", "e_precision", 2),
  "Context precision": { tasks: ["useful"], of: precision },
  "Context recall": { tasks: ["attributed"], of: recall },
  "Passage relevance": ofEach("relevance", 2),
  "Passage relevance (UMBRELA)": ofEach("umbrela", 3),
  "Nugget vital strict": ofNuggets((rated) => meanOf(rated.filter(isVital).map(strict))),
  "Nugget all strict": ofNuggets((rated) => meanOf(rated.map(strict))),
  "Nugget vital": ofNuggets((rated) => meanOf(rated.filter(isVital).map(graded))),
  "Nugget all": ofNuggets((rated) => meanOf(rated.map(graded))),
  "Nugget weighted": ofNuggets(weighted),
};

/** The formula of a column; a file may also name `constructor`, which every object has. */
export function formulaOf(column: string): Formula | undefined {
  return Object.hasOwn(FORMULAS, column) ? FORMULAS[column] : undefined;
}
