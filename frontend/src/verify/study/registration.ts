/** Whether a plan was registered before the results of a study, and the study is the planned one: docs/study.md. */
import { digestOf } from "../bytes";
import { canonical, type Json } from "../canonical";
import { EntryMaker, otherField } from "../expected-entries";
import type { EntryDocument, Receipt } from "../forms";
import { ENTRY, REGISTRATION } from "../placed";
import { failAt, type Subject } from "../reading";
import type { Violation } from "../steps";
import type { RegistrationDocument, StudyDocument } from "./form";
import type { RunFacts } from "./runs";

/** What a design leaves out has these values. */
const USUAL = { margin: 0.02, alpha: 0.05 };

export async function checkRegistration(
  subject: Subject,
  study: StudyDocument | null,
  runs: RunFacts[],
): Promise<void> {
  const { steps } = subject;
  const entry = subject.entry.value;
  if (!study || !entry) steps.skipped("registration", "study_unreadable");
  else if (!study.registration && !entry.registration) steps.skipped("registration", "unregistered");
  else if (!study.registration || !entry.registration) {
    const member = study.registration ? ENTRY : "study.json";
    failAt(subject, "registration", member, { why: "no_registration", field: REGISTRATION });
  } else if (runs.some(({ rows }) => rows.length === 0)) steps.skipped("registration", "runs_not_recorded");
  else {
    const [wrong, member] = await problem(study, study.registration, entry.registration, runs);
    if (wrong) failAt(subject, "registration", member, wrong);
    else steps.passed("registration", entry.registration.recorded_at);
  }
}

async function problem(
  study: StudyDocument,
  plan: RegistrationDocument,
  receipt: NonNullable<EntryDocument["registration"]>,
  runs: RunFacts[],
): Promise<[Violation | null, string]> {
  const margin = numberOf(study.design.margin, USUAL.margin);
  const alpha = numberOf(study.design.alpha, USUAL.alpha);
  if (margin === null || alpha === null) return [{ why: "bad_rule", field: "design" }, "study.json"];
  const maker = await EntryMaker.ofStudy(plan.sweep, plan.design_digest);
  const sizes = [plan.configurations.length, plan.questions.length];
  const numbers = [...sizes, margin, alpha, plan.earlier, plan.known.length];
  const expected = maker.ofRegistration(numbers, await digestOf(canonical(plan)));
  const field = otherField(receipt.entry, expected);
  if (field) {
    const path = `registration.entry.${field}`;
    return [{ why: "run_row_differs", facts: [field], field: path }, ENTRY];
  }
  const other = otherPart(study, plan, runs[0]?.asked ?? []);
  if (other) return [{ why: "other_plan", facts: [other], field: `registration.${other}` }, "study.json"];
  const isLate = runs.some(({ rows }) => rows.some((row) => isBefore(row, receipt)));
  return [isLate ? { why: "late_plan", field: REGISTRATION } : null, ENTRY];
}

function numberOf(value: Json | undefined, usual: number): number | null {
  if (value === undefined || value === null) return usual;
  return typeof value === "number" ? value : null;
}

/** Name of the first part of the plan that is not the one of the study. */
function otherPart(
  study: StudyDocument,
  plan: RegistrationDocument,
  asked: readonly string[],
): string | null {
  if (plan.sweep !== study.sweep.id) return "sweep";
  if (plan.design_digest !== study.design_digest) return "design_digest";
  if (plan.dataset !== study.dataset.digest) return "dataset";
  const configurations = study.runs.map(({ config_digest }) => config_digest);
  if (plan.configurations.join() !== configurations.join()) return "configurations";
  return plan.questions.join() === asked.join() ? null : "questions";
}

/** Whether a row was recorded before the plan: by its place in a local ledger, or by the stated time. */
function isBefore(row: Receipt, registered: Receipt): boolean {
  const [one, other] = [row.place, registered.place];
  if (one.kind === "local" && other.kind === "local" && one.sequence < other.sequence) return true;
  return microseconds(row.recorded_at) < microseconds(registered.recorded_at);
}

/** Of a time with six digits after the point, or none. */
function microseconds(moment: string): bigint {
  const [whole = "", fraction = "0"] = moment.slice(0, -1).split(".");
  return BigInt(Date.parse(`${whole}Z`)) * 1000n + BigInt(fraction);
}
