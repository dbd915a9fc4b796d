import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { judgingQueries } from "@/api/judging";
import type { CarriedLabels, ColumnCalibration, RunCalibration } from "@/api/types";
import { Facts } from "@/components/Facts";
import { AgreementFacts } from "@/components/judging/AgreementFacts";
import { Confusion } from "@/components/judging/Confusion";
import { formatDifference, formatInterval, formatScore } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Subsection } from "@/components/Subsection";
import { type Column, countColumn, DataTable, scoreColumn, textColumn } from "@/components/table";
import { Warnings } from "@/components/Warnings";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";

const METHODS = {
  ppi: t("by judge and ratings (PPI++)"),
  post_stratified: t("by judge and ratings (post-stratified)"),
  labels: t("by the ratings alone: the judge adds nothing"),
} as const;

interface Props {
  id: string;
  /** Names of the judged runs; none where passages are judged. */
  names?: ReadonlyMap<string, string>;
}

/** The judge compared with people, for each column that they have rated. */
export function Calibration({ id, names = new Map() }: Props) {
  const { data, error, refetch } = useQuery(judgingQueries.agreement(id));
  if (error) return <ProblemNotice error={error} onRetry={() => refetch()} />;
  return data?.columns.map((column) =>
    column.agreement ? (
      <Calibrated key={column.column} column={column} names={names} />
    ) : (
      column.elsewhere && (
        <Elsewhere key={column.column} column={column.column} found={column.elsewhere} names={names} />
      )
    ),
  );
}

function Calibrated({ column, names }: { column: ColumnCalibration; names: ReadonlyMap<string, string> }) {
  const title = t("Calibration: {column}", { column: column.column });
  return (
    <Subsection title={title}>
      <Warnings warnings={column.warnings} />
      {column.agreement && (
        <AgreementFacts
          agreement={column.agreement}
          ceiling={column.ceiling}
          before={[[t("Raters"), column.raters.join(", ")], ...lengthFacts(column)]}
        />
      )}
      {column.agreement?.categories && <Confusion categories={column.agreement.categories} />}
      {column.figures.length > 0 && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {column.figures.map((figure) => (
            <FigureView key={figure.id} figure={figure} level={4} />
          ))}
        </SimpleGrid>
      )}
      {column.runs.length > 0 && (
        <DataTable
          name="calibration"
          label={title}
          columns={runColumns(names)}
          rows={column.runs}
          keyOf={({ run_id }) => run_id}
          isShort
        />
      )}
    </Subsection>
  );
}

function lengthFacts({ length }: ColumnCalibration): [string, string][] {
  if (!length) return [];
  const effect = t("{slope} per doubling of the words, 95 % interval {interval}; {answers, number} answers", {
    slope: formatDifference(length.slope),
    interval: formatInterval(length.interval) ?? "",
    answers: length.answers,
  });
  return [[t("Effect of length, at equal token F1"), effect]];
}

const NOT_CORRECTED = t("Needs 20 ratings from one random draw.");

function runColumns(names: ReadonlyMap<string, string>): Column<RunCalibration>[] {
  return [
    textColumn("name", t("Configuration"), ({ run_id }) => names.get(run_id) ?? run_id),
    countColumn("n", t("Rated answers"), ({ n }) => n),
    scoreColumn("bias", t("Bias"), ({ bias }) => bias.mean_difference, {
      title: t("Judge minus people. A bias that differs between configurations misleads a comparison."),
      note: ({ bias }) => formatInterval(bias.ci),
    }),
    scoreColumn("judge", t("Judge"), ({ judge_mean }) => judge_mean),
    scoreColumn("corrected", t("Corrected mean"), ({ corrected }) => corrected?.value, {
      reason: NOT_CORRECTED,
      note: ({ corrected }) => formatInterval(corrected?.interval),
    }),
    scoreColumn("gain", t("Corrected gain"), ({ gain }) => gain?.value, {
      reason: ({ bias_difference }) =>
        bias_difference
          ? t("Needs 20 questions with ratings of both configurations.")
          : t("The gains are over this configuration."),
      note: ({ gain }) => formatInterval(gain?.interval),
    }),
    textColumn("method", t("Computed"), ({ corrected }) => corrected && METHODS[corrected.method], {
      reason: NOT_CORRECTED,
      // The judge may tell configurations apart whose means it does not help to estimate.
      note: ({ corrected, gain }) =>
        gain && gain.method !== corrected?.method && t("Gain: {method}", { method: METHODS[gain.method] }),
    }),
  ];
}

type Run = CarriedLabels["runs"][number];
type Share = CarriedLabels["errors"]["yes"];

const ROUNDING = 1e-9;

interface ElsewhereProps {
  column: string;
  found: CarriedLabels;
  names: ReadonlyMap<string, string>;
}

/** A column that nobody has rated, corrected by the labels of another sweep and named so. */
export function Elsewhere({ column, found: { source, errors, runs, warnings }, names }: ElsewhereProps) {
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
        reason: t("These ratings do not allow a correction."),
        note: ({ corrected }) => formatInterval(corrected?.interval),
      },
    ),
  ];
}
