/** What a verification says: steps in order, each passed, failed or not checked, with the reason. */
import type { VerifiedStudy } from "./study/result";

export const STEPS = [
  "zip",
  "manifest",
  "questions",
  "root",
  "config",
  "collection",
  "counts",
  "means",
  "scores",
  "timings",
  "dataset",
  "plausible",
  "rescored",
  "verdict",
  "entry",
  "run_entry",
  "question_entries",
  "local_ledger",
  "checkpoint",
  "stamps",
  "transaction_id",
  "action",
  "expected",
  "signer",
  "inclusion",
  "block",
  "time",
  "irreversible",
  "code",
  "lock",
  "row",
] as const;
/** What only a chain can confirm. */
export const CHAIN_STEPS = STEPS.slice(STEPS.indexOf("signer"));
/** Those of a study, in order. */
export const STUDY_STEPS = [
  "zip",
  "study",
  "files",
  "runs",
  "dataset",
  "rescored",
  "design",
  "verdict",
  "table",
  "methods",
  "registration",
  "entry",
  "study_entry",
  "local_ledger",
  "checkpoint",
  "stamps",
  "transaction_id",
  "action",
  "expected",
  ...CHAIN_STEPS,
] as const;
export type StepName = (typeof STEPS)[number] | (typeof STUDY_STEPS)[number];
export type Outcome = "pass" | "fail" | "not_checked";

/** Why a step failed. */
export type Failure =
  | "zip_members"
  | "zip_checksum"
  | "zip_header"
  | "not_utf8"
  | "not_canonical"
  | "too_deep"
  | "not_of_form"
  | "sealed_otherwise"
  | "other_number"
  | "id_twice"
  | "some_texts"
  | "texts_unstated"
  | "sheet_texts"
  | "not_ended"
  | "no_record"
  | "other_leaf"
  | "other_root"
  | "does_not_follow"
  | "other_header"
  | "other_row"
  | "too_many_rows"
  | "other_question"
  | "other_line_count"
  | "other_digest"
  | "other_own_digest"
  | "other_sweep"
  | "other_declared"
  | "verdict_misfit"
  | "other_value"
  | "other_judgements"
  | "other_mark"
  | "other_texts"
  | "verdict_differs"
  | "unsealed"
  | "no_run_row"
  | "other_row_count"
  | "same_place"
  | "not_next_transaction"
  | "unused_transaction"
  | "other_manifest"
  | "run_row_differs"
  | "other_record"
  | "question_row_differs"
  | "other_local_digest"
  | "does_not_link"
  | "other_transaction_id"
  | "half_a_block"
  | "other_block_number"
  | "no_transaction_bytes"
  | "too_few_actions"
  | "no_entry_in_action"
  | "other_account"
  | "action_differs"
  | "other_time"
  | "out_of_range"
  | "no_similarity"
  | "rank_gap"
  | "passage_order"
  | "too_many_passages"
  | "beyond_threshold"
  | "other_name"
  | "too_many_questions"
  | "other_file"
  | "other_publication"
  | "other_runs"
  | "run_fails"
  | "run_differs"
  | "bad_run_config"
  | "no_design"
  | "unplanned_run"
  | "unplanned_runs"
  | "bad_prompt"
  | "other_prompt"
  | "no_table"
  | "other_rows"
  | "other_cell"
  | "other_number_shown"
  | "no_numbers"
  | "other_conclusions"
  | "no_registration"
  | "bad_rule"
  | "other_plan"
  | "late_plan"
  | "no_proof_member"
  | "other_proof_digest"
  | "half_a_proof"
  | "proof_of_other"
  | "no_checkpoint"
  | "other_key"
  | "checkpoint_unsigned"
  | "not_included"
  | "no_time_stamp"
  | "no_stamped_checkpoint"
  | "stamp_refused"
  | "stamp_of_other"
  | "stamp_other_signer"
  | "stamp_unsigned"
  | "other_sheet_members"
  | "other_sheet_row"
  | "row_order"
  | "other_sheet_rows"
  | "other_labels"
  | "other_question_count"
  | "other_configuration"
  | "other_id"
  | "shared_model";

/** Why a step was not checked. */
export type Gap =
  | "absent"
  | "manifest_unreadable"
  | "entry_unreadable"
  | "collection_unknown"
  | "record_broken"
  | "timings_undigested"
  | "no_verdict"
  | "verdict_parts_broken"
  | "not_recorded"
  | "times_broken"
  | "run_alone"
  | "parts_broken"
  | "on_a_chain"
  | "in_a_local_ledger"
  | "no_transaction"
  | "entry_does_not_hold"
  | "transactions_do_not_hold"
  | "actions_uncompared"
  | "dataset_unknown"
  | "legacy_contract"
  | "not_irreversible"
  | "nothing_expected"
  | "not_rescored"
  | "leaves_stated"
  | "texts_withheld"
  | "no_chain_asked"
  | "study_unreadable"
  | "runs_broken"
  | "verdict_unreadable"
  | "design_differs"
  | "table_unreadable"
  | "unregistered"
  | "runs_not_recorded"
  | "only_plan_recorded"
  | "no_proof"
  | "ed25519_unknown"
  | "no_stamp"
  | "authority_unknown"
  | "stamp_kind_unknown"
  | "sheets_alone"
  | "rows_broken";

export interface Step {
  name: StepName;
  outcome: Outcome;
  /** Null of what passed. */
  why: Failure | Gap | null;
  /** What the sentence about it names. */
  facts: readonly string[];
  /** How many more have something wrong. */
  more: number;
  /** Where it failed: member of the bundle, question by number and id, path in a JSON member. */
  member: string | null;
  number: number | null;
  question: string | null;
  field: string | null;
}

export interface Verification {
  verdict: "verified" | "not verified";
  run_id: string | null;
  run_digest: string | null;
  config_digest: string | null;
  questions_root: string | null;
  questions: number;
  steps: Step[];
  /** Of a verifier that was given something to confirm; this one never is. */
  unconfirmed: null;
  /** Null for the bundle of a run, and where study.json cannot be read. */
  study: VerifiedStudy | null;
}

/** One thing that is wrong, and where. */
export interface Violation {
  why: Failure;
  facts?: readonly string[];
  field?: string | null;
  number?: number | null;
}

const NOWHERE = { more: 0, member: null, number: null, question: null, field: null };

/** Steps as they are found out. */
export class Steps {
  readonly done: Step[] = [];

  passed(name: StepName, ...facts: string[]): void {
    this.done.push({ ...NOWHERE, name, outcome: "pass", why: null, facts });
  }

  skipped(name: StepName, why: Gap, ...facts: string[]): void {
    this.done.push({ ...NOWHERE, name, outcome: "not_checked", why, facts });
  }

  failed(
    name: StepName,
    wrong: Violation,
    where: { member: string | null; question?: string | null; more?: number },
  ): void {
    const { why, facts = [], field = null, number = null } = wrong;
    const { member, question = null, more = 0 } = where;
    this.done.push({ name, outcome: "fail", why, facts, more, member, number, question, field });
  }

  outcome(name: StepName): Outcome | null {
    return this.done.find((step) => step.name === name)?.outcome ?? null;
  }
}
