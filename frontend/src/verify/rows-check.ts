/** Whether the rows of the run and of its questions say what manifest and records say. */
import { EntryMaker, otherField } from "./expected-entries";
import { meansOf, scoresOf, timesOf, type Values } from "./figures";
import {
  COLUMNS,
  type Entry,
  type EntryDocument,
  LOCAL_TIMES,
  MODEL_TIMES,
  NOT_RECORDED,
  type QuestionRecord,
} from "./forms";
import { ENTRY, type Placed } from "./placed";
import { type Bundle, failAt } from "./reading";

/** The nine times of each question; null where a record or its times are broken. */
function rowsOfTimes({ records, timings }: Bundle): Values[] | null {
  if (!records.whole || timings.wrong.length > 0) return null;
  return records.whole.map((record, number) => {
    const timing = timings.timings[number];
    return timing ? timesOf(record, timing) : [];
  });
}

export async function checkRunEntry(
  bundle: Bundle,
  document: EntryDocument,
  placed: Placed[],
): Promise<void> {
  const { steps, manifest, runDigest } = bundle;
  if (!manifest.value) {
    steps.skipped("run_entry", "manifest_unreadable");
    return;
  }
  const maker = await EntryMaker.of(manifest.value);
  const { means } = manifest.value;
  const values = COLUMNS.map((column) => means[column]?.mean ?? null);
  const expected: Record<string, Entry> = { run: maker.ofRun("addtest", values, runDigest) };
  if (document.run_times !== NOT_RECORDED) {
    const rows = rowsOfTimes(bundle);
    if (!rows) {
      steps.skipped("run_entry", "times_broken");
      return;
    }
    const times = meansOf(rows, MODEL_TIMES.length + LOCAL_TIMES.length).map(({ mean }) => mean);
    expected.run_times = maker.ofRun("addtimetest", times, runDigest);
  }
  for (const { path, receipt, number } of placed) {
    const wanted = expected[path];
    // No row of a run follows from a registration, which stands in studies alone.
    const other = wanted ? otherField(receipt.entry, wanted) : "action";
    if (number === null && other !== null) {
      blameRun(bundle, path, other);
      return;
    }
  }
  steps.passed("run_entry", runDigest);
}

/** A row of the run and the manifest say different things: the manifest, if its seals say that it changed. */
function blameRun({ steps, changed }: Bundle, path: string, other: string): void {
  if (changed[0] !== undefined) {
    const wrong = { why: "other_manifest", facts: [changed.join(", ")], field: changed[0] } as const;
    steps.failed("run_entry", wrong, { member: "manifest.json" });
  } else {
    const wrong = { why: "run_row_differs", facts: [other], field: `${path}.entry.${other}` } as const;
    steps.failed("run_entry", wrong, { member: ENTRY });
  }
}

export async function checkQuestionEntries(bundle: Bundle, placed: Placed[]): Promise<void> {
  const { steps, records } = bundle;
  const ofQuestions = placed.filter(({ number }) => number !== null);
  const manifest = bundle.manifest.value;
  if (ofQuestions.length === 0) {
    steps.skipped("question_entries", "run_alone");
    return;
  }
  const needsTimes = ofQuestions.some(({ path }) => path.startsWith("question_times"));
  const rows = needsTimes ? rowsOfTimes(bundle) : null;
  if (!manifest || !records.whole || (needsTimes && !rows) || steps.outcome("entry") !== "pass") {
    steps.skipped("question_entries", "parts_broken");
    return;
  }
  const maker = await EntryMaker.of(manifest);
  for (const item of ofQuestions) {
    const number = item.number ?? 0;
    const times = item.path.startsWith("question_times") ? rows?.[number] : undefined;
    const { id, scores } = records.whole[number] as QuestionRecord;
    const leaf = records.leaves[number] ?? "";
    const action = times ? "addtimetest" : "addtest";
    const expected = await maker.ofQuestion(action, times ?? scoresOf(scores), id, leaf);
    const other = otherField(item.receipt.entry, expected);
    if (other !== null) {
      blameQuestion(bundle, item.path, number, other);
      return;
    }
  }
  steps.passed("question_entries", String(ofQuestions.length));
}

/** A question's row and its record say different things: the record, if its leaf is not the noted one. */
function blameQuestion(bundle: Bundle, path: string, number: number, other: string): void {
  const noted = bundle.noted.get(number);
  if (noted && noted.leaf !== bundle.records.leaves[number]) {
    failAt(bundle, "question_entries", "questions.jsonl", { why: "other_record", number });
  } else {
    const field = `${path}.entry.${other}`;
    failAt(bundle, "question_entries", ENTRY, {
      why: "question_row_differs",
      facts: [other],
      field,
      number,
    });
  }
}
