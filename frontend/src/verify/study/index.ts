/** Verifies a study, a whole sweep as one file: written from docs/study.md alone. */
import { type Bytes, decoded, digestOf } from "../bytes";
import { canonical } from "../canonical";
import { EntryMaker, otherField } from "../expected-entries";
import { documentForm, type EntryDocument } from "../forms";
import { checkRows } from "../ledger-check";
import { type Pause, type ReadDocument, readDocument } from "../members";
import { ENTRY } from "../placed";
import { proofsAmong } from "../proofs-check";
import { changedMembers, failAt, type Subject } from "../reading";
import type { Failure, StepName, Steps, Verification, Violation } from "../steps";
import { lists, sealedOtherwise } from "../verdict-check";
import { type VerdictDocument, verdictForm } from "../verdict-form";
import { PROOFS } from "../zip";
import {
  FIRST_MEMBERS,
  fileNames,
  inTable,
  judgeOf,
  memberOf,
  PROMPTS,
  type StudyDocument,
  sentNames,
  sizesOf,
  studyForm,
} from "./form";
import { otherConclusions, otherNumber } from "./methods";
import { otherPublication } from "./publication";
import { checkRegistration } from "./registration";
import { type VerifiedStudy, verifiedStudy } from "./result";
import { designProblem, otherMember, type RunFacts, RunRecords, type Verified } from "./runs";
import { otherPrompt } from "./sent-prompts";
import { checkSheets } from "./sheets";
import { otherCell, readTable } from "./table";
import { studyVerdictWrong } from "./verdict";

const RESULTS = ["design", "verdict", "table", "methods"] as const;
const AGGREGATED = ["dataset", "rescored"] as const;
const MOST_GAINS = 15;

type Members = Readonly<Record<string, Bytes>>;
/** Verifies the bundle of a run; `records` sees its records, and the facts are null where it does not hold. */
export type VerifyRun = (
  data: Bytes,
  records: RunRecords,
) => Promise<{
  found: Verification;
  facts: Verified | null;
}>;

/** Everything after the step `zip`. */
export async function checkStudy(
  members: Members,
  steps: Steps,
  verifyRun: VerifyRun,
  pause: Pause,
): Promise<{ study: VerifiedStudy | null; config_digest: string | null; questions: number }> {
  const entry = readDocument(documentForm, members[ENTRY] as Bytes);
  const proofs = proofsAmong(members, "study.json");
  const subject: Subject = { steps, entry, proofs, questions: 0, nameOf: () => null };
  const read = readDocument(studyForm, members["study.json"] as Bytes);
  const digest = await digestOf(members["study.json"] as Bytes);
  await checkDocument(subject, read, digest);
  await checkFiles(subject, read.value, members);
  const counted = { questions: 0 };
  const runs = read.value?.sheets
    ? checkSheets(subject, read.value, members, counted)
    : await checkRuns(subject, read.value, members, verifyRun, counted);
  const document = await checkDesign(subject, read.value, members, runs, pause);
  if (runs) await checkRegistration(subject, read.value, runs);
  else steps.skipped("registration", unreadOf(read.value));
  await checkRows(subject, ["study_entry"], (held) =>
    checkOwnRow(subject, held, read.value, digest, document),
  );
  const isVerified = !steps.done.some(({ outcome }) => outcome === "fail");
  const study =
    read.value &&
    verifiedStudy(
      read.value,
      digest,
      standingOf(read.value, steps),
      isVerified ? document : null,
      runs ?? [],
    );
  return { study, config_digest: read.value?.design_digest ?? null, questions: counted.questions };
}

/** Why nothing follows where runs or rows do not hold. */
function unreadOf(study: StudyDocument | null): "rows_broken" | "runs_broken" {
  return study?.sheets ? "rows_broken" : "runs_broken";
}

/** Adds the steps `design` (that of imported sheets was added with their rows) to `methods`. */
async function checkDesign(
  subject: Subject,
  study: StudyDocument | null,
  members: Members,
  runs: RunFacts[] | null,
  pause: Pause,
): Promise<VerdictDocument | null> {
  if (study && runs) {
    const wrong = study.sheets ? null : await designWrong(study, members, runs);
    if (!study.sheets) add(subject, "design", wrong, wrong?.member ?? "study.json");
    if (!wrong) return checkResults(subject, study, members, runs, pause);
  }
  for (const name of RESULTS) {
    if (!subject.steps.outcome(name)) subject.steps.skipped(name, runs ? "design_differs" : unreadOf(study));
  }
  return null;
}

/** In what the runs are not those of the design, or the prompts those of the runs, with the member that says so. */
async function designWrong(
  study: StudyDocument,
  members: Members,
  runs: RunFacts[],
): Promise<(Violation & { member: string }) | null> {
  const wrong = await designProblem(study, runs);
  if (wrong) return { ...wrong, member: "study.json" };
  const sent = members[PROMPTS];
  const other = sent ? await otherPrompt(sent, runs) : null;
  return other && { ...other, member: PROMPTS };
}

function standingOf({ registration }: StudyDocument, steps: Steps): VerifiedStudy["standing"] {
  const isKept = registration?.known.length === 0 && steps.outcome("registration") === "pass";
  return isKept ? "confirmatory" : "exploratory";
}

function add(
  subject: Subject,
  name: StepName,
  wrong: Violation | null,
  member: string,
  ...facts: string[]
): void {
  if (wrong) failAt(subject, name, member, wrong);
  else subject.steps.passed(name, ...facts);
}

async function checkDocument(
  subject: Subject,
  { value, json, wrong }: ReadDocument<StudyDocument>,
  digest: string,
): Promise<void> {
  const changed = await changedMembers(json, subject.entry.value);
  const design = value && (await digestOf(canonical(value.design)));
  const problem: Violation | null =
    wrong ??
    (changed[0] === undefined
      ? null
      : { why: "sealed_otherwise", facts: [changed.join(", ")], field: changed[0] }) ??
    (design === value?.design_digest
      ? null
      : { why: "does_not_follow", facts: ["design_digest"], field: "design_digest" });
  add(subject, "study", problem, "study.json", digest);
}

async function checkFiles(subject: Subject, study: StudyDocument | null, members: Members): Promise<void> {
  if (!study) {
    subject.steps.skipped("files", "study_unreadable");
    return;
  }
  const names = fileNames(study);
  for (const name of names) {
    if ((await digestOf(members[name] ?? new Uint8Array())) !== study.files[name]) {
      subject.steps.failed("files", { why: "other_file" }, { member: name });
      return;
    }
  }
  const other = otherPublication(study, members);
  if (other) {
    const wrong = { why: "other_publication" as Failure, facts: [other.field], field: other.field };
    failAt(subject, "files", other.member, wrong);
    return;
  }
  subject.steps.passed("files", String(names.length));
}

/** The facts of all runs in the table; null where one is missing or its bundle does not hold. */
async function checkRuns(
  { steps }: Subject,
  study: StudyDocument | null,
  members: Members,
  verifyRun: VerifyRun,
  counted: { questions: number },
): Promise<RunFacts[] | null> {
  if (!study) {
    for (const name of ["runs", ...AGGREGATED] as const) steps.skipped(name, "study_unreadable");
    return null;
  }
  const table = inTable(study);
  const before = [...PROOFS.filter((name) => name in members), ...sentNames(study.files)];
  const other = otherMember(before, table, Object.keys(members).slice(FIRST_MEMBERS.length));
  if (other !== null) {
    steps.failed("runs", { why: "other_runs" }, { member: other });
    for (const name of AGGREGATED) steps.skipped(name, "runs_broken");
    return null;
  }
  const all: RunFacts[] = [];
  const verified: Verification[] = [];
  for (const run of table) {
    const records = new RunRecords(judgeOf(study) !== null);
    const { found, facts } = await verifyRun(members[memberOf(run)] as Bytes, records);
    counted.questions += found.questions;
    verified.push(found);
    if (facts) all.push(await records.facts(run, facts));
  }
  const broken = verified.findIndex(({ verdict }) => verdict === "not verified");
  const failed = verified[broken]?.steps.find(({ outcome }) => outcome === "fail");
  if (failed) {
    const facts = [table[broken]?.name ?? "", failed.member ?? "", failed.name];
    const wrong = { why: "run_fails" as Failure, facts, field: failed.field, number: failed.number };
    const member = memberOf(table[broken] as (typeof table)[number]);
    steps.failed("runs", wrong, { member, question: failed.question });
  } else steps.passed("runs", String(table.length), String(counted.questions));
  for (const name of AGGREGATED) aggregate(steps, name, verified, study);
  return failed ? null : all;
}

/** The worst outcome of all runs; no run is compared with a copy of the dataset or rescored here. */
function aggregate(
  steps: Steps,
  name: (typeof AGGREGATED)[number],
  verified: Verification[],
  { dataset }: StudyDocument,
): void {
  const own = verified.flatMap((found) => found.steps.filter((step) => step.name === name));
  const open = own.find(({ outcome }) => outcome === "not_checked");
  // A digest that follows from texts alone covers no clusters and no weights.
  const undeclared = (["clusters", "weights"] as const).find((part) => dataset[part] !== null);
  if (open) steps.done.push(open);
  else if (name === "dataset" && undeclared) {
    steps.failed(name, { why: "other_declared", field: `dataset.${undeclared}` }, { member: "study.json" });
  } else steps.passed(name, String(own.length));
}

async function checkResults(
  subject: Subject,
  study: StudyDocument,
  members: Members,
  runs: RunFacts[],
  pause: Pause,
): Promise<VerdictDocument | null> {
  const { steps } = subject;
  const read = readDocument(verdictForm, members["verdict.json"] as Bytes);
  const document = read.value;
  const unread = read.wrong ?? (document && (await sealedOtherwise(document)));
  if (unread || !document) {
    failAt(subject, "verdict", "verdict.json", unread ?? { why: "not_of_form" });
    for (const name of ["table", "methods"] as const) steps.skipped(name, "verdict_unreadable");
    return null;
  }
  const wrong = await studyVerdictWrong(study, document, runs, pause);
  add(subject, "verdict", wrong, "verdict.json", document.conclusion_digest);
  const cells = readTable(members["table.csv"] as Bytes, study.format);
  if (!cells) {
    failAt(subject, "table", "table.csv", { why: "no_table" });
    steps.skipped("methods", "table_unreadable");
    return document;
  }
  const other = lists(document)
    ? { why: "no_table" as const }
    : otherCell(cells, document, runs, study.format);
  add(subject, "table", other, "table.csv", String(cells.length - 1));
  const text = decoded(members["methods.md"] as Bytes);
  const misread = text === null ? ({ why: "not_utf8" } as const) : null;
  const shown = misread ?? otherNumber(text ?? "", cells, { study, verdict: document });
  add(subject, "methods", shown ?? otherConclusions(text ?? "", document), "methods.md");
  return document;
}

async function checkOwnRow(
  { steps }: Subject,
  held: EntryDocument,
  study: StudyDocument | null,
  digest: string,
  document: VerdictDocument | null,
): Promise<void> {
  if (!study || !document) {
    steps.skipped("study_entry", "study_unreadable");
    return;
  }
  if (held.run === "not recorded") {
    steps.skipped("study_entry", "only_plan_recorded");
    return;
  }
  const { rule, gains } = document;
  const maker = await EntryMaker.ofStudy(study.sweep.id, study.design_digest);
  const sizes = [...sizesOf(study), study.dataset.questions, rule.margin, rule.alpha];
  const numbers = gains.slice(0, MOST_GAINS).flatMap(({ gain, low, high }) => [gain, low, high]);
  const expected = maker.ofStudy([...sizes, ...numbers], digest, study.sheets !== undefined);
  const isOther = held.questions !== "not recorded" || held.run_times !== "not recorded";
  const found = otherField(held.run.entry, expected);
  const field = isOther ? "action" : found;
  const wrong = { why: "run_row_differs" as Failure, facts: [field ?? ""], field: `run.entry.${field}` };
  if (field) steps.failed("study_entry", wrong, { member: ENTRY });
  else steps.passed("study_entry", digest);
}
