import type { Failure, Gap, Step } from "@/verify";
import { t } from "@/words";
import { TITLES } from "./titles";

const FAILURES = {
  zip_members: () =>
    t(
      "The file is not a zip written by `passer bundle`: members are missing, added or changed in length, or the file is cut off. If another program packed the members again, this changes no result, but only the original file can be verified.",
    ),
  zip_checksum: (member: string) => t("The checksum of {member} does not match its content.", { member }),
  zip_header: () =>
    t(
      "A header of the zip differs from those written by `passer bundle`. If another program packed the members again, this changes no result, but only the original file can be verified.",
    ),
  not_utf8: () => t("The text is not valid UTF-8."),
  not_canonical: () => t("The JSON is not canonical (RFC 8785)."),
  too_deep: () => t("The JSON is nested more than 64 levels deep."),
  not_of_form: () => t("The value does not match the schema."),
  sealed_otherwise: (names: string) =>
    t("The values of {names} do not match the seal in entry.json. They were changed later.", { names }),
  other_number: (number: string) => t("Record {number} is in its position.", { number }),
  id_twice: (id: string) => t("An earlier record has the same ID {id}.", { id }),
  some_texts: () => t("Some records have their texts and others do not."),
  texts_unstated: () => t("It does not state whether the records have their texts."),
  sheet_texts: () => t("It has texts, although study.json states that they are withheld."),
  not_ended: () => t("The line has no end-of-line character."),
  no_record: () => t("It contains no records."),
  other_leaf: () => t("The record differs from the one used for the root and scores.csv."),
  other_root: () => t("The records do not match the root, although scores.csv lists the same leaves."),
  does_not_follow: (path: string) =>
    t("The manifest’s value of {path} does not match the rest of the bundle.", { path }),
  other_header: () => t("The header row is wrong."),
  other_row: () => t("The row does not match its record."),
  too_many_rows: () => t("The table has more rows than there are records."),
  other_question: () => t("It belongs to another question."),
  other_line_count: (lines: string, questions: string) =>
    t("It has {lines} lines for {questions} questions.", { lines, questions }),
  other_digest: () => t("Its SHA-256 does not match the manifest."),
  other_own_digest: () => t("It does not match its own digest: it was changed later."),
  other_sweep: () => t("It belongs to another sweep or does not contain this run."),
  verdict_misfit: () => t("A list has the wrong length, or a position has no configuration."),
  other_value: (question: string) =>
    t("The value of question {question} does not follow from its record.", { question }),
  other_judgements: () => t("The judge’s replies do not fit their tasks or one another."),
  other_mark: () => t("A mark does not follow from the judge’s replies."),
  other_texts: () => t("The judge was given texts that differ from those of the records."),
  verdict_differs: (field: string) => t("The value of {field} does not follow from the others.", { field }),
  unsealed: () => t("It does not match its seal: one of the two was changed."),
  no_run_row: () => t("The row of the run is missing."),
  other_row_count: (rows: string, questions: string) =>
    t("It has {rows} rows for {questions} questions.", { rows, questions }),
  same_place: () => t("Another entry has the same position."),
  not_next_transaction: () => t("It does not refer to the next transaction."),
  unused_transaction: () => t("A transaction contains none of the entries."),
  other_manifest: (names: string) =>
    t("The ledger contains the digest of another manifest. It differs in {names}.", { names }),
  run_row_differs: (field: string) => t("The row’s {field} does not match the manifest.", { field }),
  other_record: () => t("The ledger contains a different record."),
  question_row_differs: (field: string) => t("The row’s {field} does not match the record.", { field }),
  other_local_digest: () => t("The row does not match its digest."),
  does_not_link: () => t("The row is not linked to the previous row."),
  other_transaction_id: () => t("The transaction ID is not the SHA-256 of the transaction bytes."),
  half_a_block: () => t("The block has an ID but no number."),
  other_block_number: () => t("The block ID does not begin with the block number."),
  no_transaction_bytes: () => t("The bytes are not a transaction."),
  too_few_actions: (count: string) => t("The transaction has only {count} actions.", { count }),
  no_entry_in_action: () => t("The action does not record an entry."),
  other_account: (creator: string, contract: string, statedCreator: string, statedContract: string) =>
    t(
      "The action belongs to {creator} and contract {contract}, not to {statedCreator} and {statedContract}.",
      { creator, contract, statedCreator, statedContract },
    ),
  action_differs: (field: string) => t("The action’s {field} does not match the entry.", { field }),
  other_time: () => t("The time is not in the hour before the transaction expires."),
  out_of_range: (column: string, value: string) =>
    t("{column} cannot be {value}: it is outside the range of the metric.", { column, value }),
  no_similarity: () => t("A similarity is outside −1 to 1."),
  rank_gap: () => t("The ranks of the passages are not consecutive."),
  passage_order: () => t("The passages are not in the order of their similarity."),
  too_many_passages: (count: string, most: string) =>
    t("It has {count} passages, but the configuration keeps at most {most}.", { count, most }),
  beyond_threshold: () => t("A passage is below the similarity threshold of the configuration."),
  other_name: (path: string) => t("{path} is not the one of the configuration.", { path }),
  too_many_questions: () => t("The run has more questions than the configuration asks."),
  other_declared: () => t("Its clusters or weights are not those of the dataset."),
  other_publication: (field: string) => t("Its value of {field} differs from study.json.", { field }),
  other_file: () => t("Its SHA-256 does not match study.json."),
  other_runs: () => t("The bundles are not those of the runs in the table."),
  run_fails: (run: string, member: string, check: string) =>
    t("The bundle of run {run} is not verified: {check} in {member}.", {
      check: TITLES[check as keyof typeof TITLES],
      member,
      run,
    }),
  run_differs: (run: string, part: string) =>
    t("Run {run} is not the one of the study: its {part} differs.", { part, run }),
  bad_run_config: (run: string) => t("The configuration of run {run} does not match the schema.", { run }),
  no_design: () => t("The design is not that of a sweep."),
  unplanned_run: (run: string) => t("The design does not plan the run {run}.", { run }),
  unplanned_runs: () => t("The runs are not all that the design plans."),
  other_prompt: (line: string) => t("Line {line} is not the prompt that the records state.", { line }),
  bad_prompt: (name: string) => t("The text of the prompt {name} does not match its digest.", { name }),
  no_table: () => t("It is not the table of a study."),
  other_rows: (rows: string, count: string) =>
    t("It has {rows} rows for {count} configurations.", { count, rows }),
  other_cell: (row: string, column: string) =>
    t("The cell in row {row}, column {column}, does not follow from the records.", { column, row }),
  other_number_shown: (shown: string, target: string) =>
    t("It shows {shown} for {target}, which is another value.", { shown, target }),
  no_numbers: () => t("It links to no value."),
  other_conclusions: () => t("Its conclusions are not those of verdict.json."),
  no_registration: () => t("It has no registration, although the other file has one."),
  bad_rule: () => t("The rule of the design is not valid."),
  other_plan: (part: string) => t("The study’s {part} is not the planned one.", { part }),
  late_plan: () => t("Results were recorded before the plan."),
  no_proof_member: (name: string) => t("The file has no {name}, although entry.json states it.", { name }),
  other_proof_digest: () => t("Its SHA-256 is not the one in entry.json: it was changed or added later."),
  half_a_proof: () => t("The file has a proof without the key of its ledger, or the key without a proof."),
  proof_of_other: () => t("The proof is of another row than that of the file."),
  no_checkpoint: () => t("It has no signed checkpoint of the ledger."),
  other_key: () => t("The checkpoint is not signed by the key in ledger.key, or is signed twice."),
  checkpoint_unsigned: () => t("The signature does not match the checkpoint: one of the two was changed."),
  not_included: () => t("The proof does not lead from the row to the checkpoint."),
  no_time_stamp: () => t("It is not a time stamp of RFC 3161 in DER."),
  no_stamped_checkpoint: () => t("It belongs to a checkpoint that is not in the file."),
  stamp_refused: () => t("The authority did not grant the time stamp."),
  stamp_of_other: () => t("The time stamp is of something else."),
  stamp_other_signer: () =>
    t("The certificate of the time stamp’s signer is missing, or is not the one that the time stamp names."),
  stamp_unsigned: () => t("The signature of the time stamp does not match: it was changed."),
  other_sheet_members: () => t("The members are not those of a study of imported sheets."),
  other_sheet_row: () => t("Its sheet or its columns are not those that study.json states."),
  row_order: () => t("The row is not in the order of its sheet."),
  other_sheet_rows: (rows: string, path: string) =>
    t("The file has {rows, plural, one {# row} other {# rows}} of the sheet {path}.", {
      path,
      rows: Number(rows),
    }),
  other_labels: () => t("The numbers in the sheet show that its labels are in a different order."),
  other_question_count: () => t("It is not the number of questions in the rows."),
  other_configuration: () => t("The path of the sheet names another configuration."),
  other_id: () => t("An earlier row with the same question has a different ID."),
  shared_model: () => t("Two models have the same name, or one model has two names."),
};
const GAPS = {
  absent: () => t("Not checked: the members are missing from the file."),
  manifest_unreadable: () => t("Not checked: manifest.json is not readable."),
  entry_unreadable: () => t("Not checked: entry.json is not readable."),
  collection_unknown: () => t("Not checked: the manifest does not contain the collection."),
  record_broken: () => t("Not checked: a question record is damaged."),
  timings_undigested: () => t("Not checked: manifest.json, which contains the digest, is not readable."),
  no_verdict: () => t("Not checked: the bundle was written without the verdict of its sweep."),
  verdict_parts_broken: () => t("Not checked: the manifest or a question record is damaged."),
  not_recorded: () => t("Not checked: the run is not recorded in a ledger."),
  times_broken: () => t("Not checked: a question record or its timings are damaged."),
  run_alone: () => t("Not checked: only the run itself is recorded, not its questions."),
  parts_broken: () =>
    t("Not checked: the manifest, entry.json, a question record or its timings are damaged."),
  on_a_chain: () => t("Not checked: the run is recorded on a blockchain."),
  in_a_local_ledger: () => t("Not checked: the run is recorded in a local ledger, not on a blockchain."),
  no_transaction: () => t("Not checked: there is no transaction."),
  entry_does_not_hold: () => t("Not checked: entry.json failed its own check."),
  transactions_do_not_hold: () => t("Not checked: the transactions in entry.json failed their own checks."),
  actions_uncompared: () => t("Not checked: the actions could not be compared with the entries."),
  dataset_unknown: () =>
    t(
      "Not checked: the dataset’s digest does not follow from the questions alone. The run takes part of the dataset, questions were left out, or the digest covers gold passages. Compare with `passer verify --dataset FILE`.",
    ),
  legacy_contract: () =>
    t(
      "Not checked: the rows are in the published contract, which has no digests, checks no authority and can be emptied.",
    ),
  not_irreversible: () =>
    t("Not checked: a block was not irreversible yet when the bundle was written. Export the bundle again."),
  not_rescored: () =>
    t("Not checked: the browser does not compute scores again. Run `passer verify --rescore`."),
  leaves_stated: () =>
    t(
      "Not checked: the texts of questions and answers are withheld. Leaves are stated, and their root is that of the manifest.",
    ),
  texts_withheld: () => t("Not checked: the texts of questions and answers are withheld."),
  nothing_expected: () =>
    t("Not checked: no account, contract, blockchain or head was given to compare with."),
  study_unreadable: () => t("Not checked: study.json or verdict.json is not readable."),
  runs_broken: () => t("Not checked: the bundle of a run is missing or not verified."),
  verdict_unreadable: () => t("Not checked: verdict.json is not readable."),
  design_differs: () => t("Not checked: the runs are not those of one design."),
  table_unreadable: () => t("Not checked: table.csv is not readable."),
  unregistered: () =>
    t("Not checked: the plan was not registered before the sweep. The study is exploratory."),
  runs_not_recorded: () =>
    t("Not checked: a run is not recorded in a ledger, so that nothing shows which came first."),
  only_plan_recorded: () => t("Not checked: the study is not recorded, only its plan."),
  no_proof: () => t("Not checked: the file has no proof of a checkpoint."),
  ed25519_unknown: (origin: string, rows: string) =>
    t(
      "The row is in the ledger {origin} at its checkpoint of {rows} rows, but this browser cannot check the signature (Ed25519).",
      { origin, rows },
    ),
  sheets_alone: () => t("Not checked: imported sheets have no references."),
  rows_broken: () => t("Not checked: the rows of the sheets are not those that study.json states."),
  no_stamp: () => t("Not checked: the file has no time stamp."),
  authority_unknown: (stamps: string) =>
    t(
      "{stamps}. The signature is that of the certificate in the time stamp. Whether you trust this authority is not checked: run `passer verify` with --roots.",
      { stamps },
    ),
  stamp_kind_unknown: (stamps: string) =>
    t("{stamps}. This browser cannot check this kind of signature: run `passer verify` with --roots.", {
      stamps,
    }),
  no_chain_asked: () =>
    t("Not checked: the browser does not connect to a blockchain. Run the command below."),
};
type Sentence = (...facts: string[]) => string;
// Every reason has a sentence; that each takes as many facts as it is given is tested.
const failures: Record<Failure, Sentence> = FAILURES as Record<Failure, Sentence>;
const gaps: Record<Gap, Sentence> = GAPS as Record<Gap, Sentence>;

/** Why a step failed or was left out, in words; nothing of what holds. */
export function reasonOf({ outcome, why, facts, more }: Step): string {
  if (why === null) return "";
  const said = outcome === "fail" ? failures[why as Failure] : gaps[why as Gap];
  return [said(...facts), more > 0 ? t("{count} more are affected.", { count: String(more) }) : ""]
    .filter(Boolean)
    .join(" ");
}

/** Where a step failed: member, question, field. */
export function placesOf({ member, number, question, field }: Step): string[] {
  return [
    member === null ? "" : t("In {member}", { member }),
    number === null
      ? ""
      : t("Question {number}: {id}", { number: String(number + 1), id: question ?? t("ID unknown") }),
    field === null ? "" : t("Field {field}", { field }),
  ].filter(Boolean);
}
