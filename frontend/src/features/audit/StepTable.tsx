import clsx from "clsx";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import type { Step } from "@/verify";
import { t } from "@/words";
import classes from "./StepTable.module.css";
import { placesOf, reasonOf } from "./sentences";

const OUTCOMES = { pass: t("passed"), fail: t("failed", {}, "check"), not_checked: t("not checked") };
/** What each step checks. */
export const TITLES = {
  zip: t("The file is a canonical bundle"),
  manifest: t("manifest.json is canonical and its members match their seals"),
  questions: t("Question records are canonical and in order"),
  root: t("The question records match the root in the manifest"),
  config: t("The configuration matches its digest in the manifest"),
  collection: t("The collection matches its digest in the manifest"),
  counts: t("The counts match the question records"),
  means: t("The means match the question records"),
  scores: t("scores.csv matches the question records"),
  timings: t("timings.jsonl matches the question records and its digest in the manifest"),
  verdict: t("The sweep’s verdict follows from its values, and this run’s values from its records"),
  dataset: t("The questions match the digest of the dataset"),
  plausible: t("Scores and passages are possible and agree with the configuration"),
  rescored: t("The scores follow from the recorded texts"),
  entry: t("entry.json is canonical and matches its seals"),
  run_entry: t("The run’s ledger row matches the manifest"),
  question_entries: t("The questions’ ledger rows match the question records"),
  local_ledger: t("The local ledger rows match their digests and form a chain"),
  transaction_id: t("Transaction IDs match the transaction bytes"),
  action: t("Each entry is the action at its position in the transaction"),
  expected: t("The bundle agrees with what you expect of it"),
  signer: t("Each transaction is signed by its creator"),
  inclusion: t("Each transaction is in its block"),
  block: t("Block IDs match the block headers"),
  time: t("The stated times are those of the blocks and rows"),
  irreversible: t("Each block is irreversible"),
  code: t("The contract code is the code in this repository"),
  lock: t("The contract code can no longer be changed"),
  row: t("The rows on the blockchain match the entries"),
};
/** An outcome has a word, a mark and a colour, so that it never hangs on the colour alone. */
const MARKS = { pass: "✓", fail: "✗", not_checked: "○" } as const;

const COLUMNS: Column<Step>[] = [
  {
    id: "step",
    label: t("Check"),
    kind: "text",
    value: ({ name }) => TITLES[name],
    note: (step) => <Found step={step} />,
  },
  {
    id: "outcome",
    label: t("Result"),
    value: ({ outcome }) => OUTCOMES[outcome],
    cell: ({ outcome }) => (
      <span className={clsx(classes.outcome, classes[outcome])}>
        <span aria-hidden="true">{MARKS[outcome]}</span>
        {OUTCOMES[outcome]}
      </span>
    ),
  },
];

/** All steps of a verification, in order. */
export function StepTable({ steps }: { steps: Step[] }) {
  return (
    <DataTable
      name="audit-steps"
      label={t("Checks")}
      columns={COLUMNS}
      rows={steps}
      keyOf={({ name }) => name}
      isShort
    />
  );
}

/** Why a step ended as it did, and where. */
function Found({ step }: { step: Step }) {
  const places = placesOf(step);
  const reason = reasonOf(step);
  return (
    <>
      {reason !== "" && <p className={classes.reason}>{reason}</p>}
      {places.length > 0 && (
        <ul className={classes.places} aria-label={t("Location")}>
          {places.map((place) => (
            <li key={place}>{place}</li>
          ))}
        </ul>
      )}
    </>
  );
}
