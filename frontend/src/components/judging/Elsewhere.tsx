import type { CarriedLabels } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatInterval, formatScore } from "@/components/numbers/format";
import { Subsection } from "@/components/Subsection";
import { type Column, countColumn, DataTable, scoreColumn, textColumn } from "@/components/table";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";

type Run = CarriedLabels["runs"][number];
type Share = CarriedLabels["errors"]["yes"];

const ROUNDING = 1e-9;

interface Props {
  column: string;
  found: CarriedLabels;
  names: ReadonlyMap<string, string>;
}

/** A column that nobody has rated, corrected by the labels of another sweep and named so. */
export function Elsewhere({ column, found: { source, errors, runs, warnings }, names }: Props) {
  const title = t("{column}, corrected by ratings of {sweep}", { column, sweep: source });
  const shown = ({ right, n, share }: Share) => {
    const counted = t("{right, number} of {all, number}", { right, all: n });
    const isWeighted = share !== null && Math.abs(share - right / n) > ROUNDING;
    return isWeighted
      ? t("{counted}; {share} when weighted by the draw", { counted, share: formatScore(share) })
      : counted;
  };
  return (
    <Subsection title={title}>
      <Warnings warnings={warnings} />
      <Facts
        facts={[
          [t("People’s “yes” that the judge confirms"), shown(errors.yes)],
          [t("People’s “no” that the judge confirms"), shown(errors.no)],
        ]}
      />
      <DataTable
        name="carried"
        label={title}
        columns={columnsOf(names, source)}
        rows={runs}
        keyOf={({ run_id }) => run_id}
        isShort
      />
    </Subsection>
  );
}

function columnsOf(names: ReadonlyMap<string, string>, source: string): Column<Run>[] {
  return [
    textColumn("name", t("Configuration"), ({ run_id }) => names.get(run_id) ?? run_id),
    countColumn("n", t("Answers"), ({ n }) => n),
    scoreColumn("judge", t("Judge"), ({ judge_mean }) => judge_mean),
    scoreColumn(
      "corrected",
      t("Corrected by ratings of {sweep}", { sweep: source }),
      ({ corrected }) => corrected?.value,
      {
        reason: t("These ratings correct nothing."),
        note: ({ corrected }) => formatInterval(corrected?.interval),
      },
    ),
  ];
}
