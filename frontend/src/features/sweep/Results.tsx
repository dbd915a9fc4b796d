import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { SweepAnalysis, SweepDetail } from "@/api/types";
import { FileLink, SmallLink } from "@/components/links";
import { More } from "@/components/More";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { foundIn } from "@/components/results/questionSources";
import { sourcesOfSweep } from "@/components/results/sourcesOf";
import { DataTable, plainColumn } from "@/components/table";
import { unbroken } from "@/components/unbroken";
import { Waiting } from "@/components/Waiting";
import { Warnings } from "@/components/Warnings";
import { sharedRange } from "@/figures/IntervalMark";
import { t } from "@/words";
import { Basis } from "./Basis";
import classes from "./CompositeTable.module.css";
import { columnsOf, intervalOf, type Row } from "./columns";
import { Figures } from "./Figures";
import { Grounding } from "./Grounding";
import { Judged } from "./Judged";
import { LocatedFailures } from "./LocatedFailures";
import { Matrix } from "./Matrix";
import { Outlets } from "./Outlets";
import { Pairs } from "./Pairs";
import { RunTable } from "./RunTable";
import { RESULTS } from "./state";
import { Tournaments } from "./Tournaments";
import { useMatrixView } from "./useMatrix";
import { VerdictCard } from "./VerdictCard";

/** From here on the analysis takes seconds. */
const MANY = 5000;

/** What the sweep shows: the recommendation, the table behind it, and what both rest on. */
export function Results({ sweep }: { sweep: SweepDetail }) {
  const query = useQuery(sweepQueries.analysis(sweep.id));
  const configurations = query.data?.configurations;
  const sources = useMemo(() => sourcesOfSweep(configurations ?? []), [configurations]);
  const evaluations = sweep.questions * sweep.runs.length;
  if (query.isPending) {
    return evaluations < MANY ? <Waiting height={320} /> : <Computing sweep={sweep} count={evaluations} />;
  }
  if (!query.data) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  const analysis = query.data;
  return (
    <Stack gap="lg">
      {sweep.state !== "finished" && (
        <Text c="var(--warn-text)">{t("The sweep is not finished. These figures will change.")}</Text>
      )}
      <VerdictCard sweep={sweep} analysis={analysis} />
      <Warnings warnings={analysis.warnings} />
      <Views sweep={sweep} analysis={analysis} />
      <Figures id={sweep.id} sources={sources} />
      <Pairs id={sweep.id} analysis={analysis} />
      <LocatedFailures id={sweep.id} />
      {evaluations <= MANY && <Grounding id={sweep.id} />}
      {sweep.state === "finished" && sweep.runs.length > 1 && <CpsCheck id={sweep.id} />}
      <Tournaments sweep={sweep} />
      <Outlets sweep={sweep} />
    </Stack>
  );
}

/** The offer to compare CPS with one's own judgement. */
function CpsCheck({ id }: { id: string }) {
  return (
    <Group gap="xs">
      <SmallLink to="/rate/$id" params={{ id }} search={{ of: "pairs" }}>
        {t("CPS and your judgement")}
      </SmallLink>
      <Quiet>{t("Choose the better of two answers, up to 20 times, without seeing their scores.")}</Quiet>
    </Group>
  );
}

const VIEWS = ["questions", "judged"] as const;

/** Configurations and questions, two views of the same scores, and the values of judges. */
function Views({ sweep, analysis }: { sweep: SweepDetail; analysis: SweepAnalysis }) {
  const { id } = sweep;
  const { view, change } = useMatrixView();
  return (
    <Stack component="section" gap="sm" aria-label={t("Results")} id={RESULTS}>
      <SegmentedControl
        w="fit-content"
        aria-label={t("View")}
        value={view ?? "configurations"}
        onChange={(next) => change({ view: VIEWS.find((name) => name === next) })}
        data={[
          { value: "configurations", label: t("Configurations") },
          { value: "questions", label: t("Questions") },
          { value: "judged", label: t("Judged") },
        ]}
      />
      {view === "questions" && <Matrix id={id} analysis={analysis} />}
      {view === "judged" && <Judged sweep={sweep} />}
      {view === undefined && <CompositeTable analysis={analysis} />}
      {view !== "judged" && <Basis sweep={sweep} analysis={analysis} />}
      <Exports id={id} />
    </Stack>
  );
}

/** The runs, which can be looked at while their tests are made. */
function Computing({ sweep, count }: { sweep: SweepDetail; count: number }) {
  return (
    <Stack gap="md">
      <Text role="status">
        {t("Analysing {count, plural, one {# evaluation} other {# evaluations}}. This takes a few seconds.", {
          count,
        })}
      </Text>
      <RunTable runs={sweep.runs} />
    </Stack>
  );
}

/** Every configuration beside its baseline; a row opens its run, a gain the questions that changed most. */
export function CompositeTable({ analysis }: { analysis: SweepAnalysis }) {
  const { configurations, verdict } = analysis;
  const range = sharedRange(configurations.map(intervalOf));
  const recommended = new Set(verdict.conclusions.map(({ name }) => name));
  const sources = sourcesOfSweep(configurations);
  const several = new Set(configurations.map(({ model }) => model)).size > 1;
  // Models without token counts, such as the built-in reader, have nothing to show there.
  const counted = configurations.some(({ latency }) => latency?.mean_prompt_tokens != null);
  const columns = columnsOf(range, analysis.rule, (row) => foundIn(sources, row));
  return (
    <DataTable
      name="configurations"
      at="results"
      label={t("Results")}
      columns={[
        plainColumn<Row>("configuration", t("Configuration"), ({ name }) => name, {
          cell: (row) => <Name row={row} isRecommended={recommended.has(row.name)} />,
          // Runs of several models have the model in their names already.
          note: ({ name, model }) => several && !name.startsWith(`${model}, `) && model,
        }),
        ...columns.filter(({ id }) => id !== "tokens" || counted),
      ]}
      rows={configurations}
      keyOf={({ run_ids }) => run_ids[0] ?? ""}
      open={({ run_ids }) => ({ to: "/runs/$id", params: { id: run_ids[0] ?? "" } })}
      isMarked={({ name }) => recommended.has(name)}
      isShort
    />
  );
}

function Name({ row, isRecommended }: { row: Row; isRecommended: boolean }) {
  return (
    <>
      {unbroken(row.name)}
      {row.is_baseline && <span className={classes.tag}>{t("baseline")}</span>}
      {isRecommended && <span className={classes.tag}>{t("recommended")}</span>}
    </>
  );
}

const EXPORTS = {
  composites: t("Configurations"),
  evaluations: t("All evaluations"),
  "ragelo-queries": t("RAGElo queries"),
  "ragelo-documents": t("RAGElo documents"),
  "ragelo-answers": t("RAGElo answers"),
  trec: t("TREC runs and qrels"),
};

const FORMATS = ["csv", "xlsx", "jsonl"] as const;
const TABLES = ["composites", "evaluations"] as const;
const RAGELO = ["ragelo-queries", "ragelo-documents", "ragelo-answers"] as const;

/** The tables as files. */
export function Exports({ id }: { id: string }) {
  return (
    <Group gap="lg">
      {TABLES.map((table) => (
        <Group key={table} gap={8}>
          <Quiet>{EXPORTS[table]}</Quiet>
          {FORMATS.map((format) => (
            <File key={format} id={id} table={table} format={format} text={format.toUpperCase()} />
          ))}
        </Group>
      ))}
      <More title={t("Files for other tools")}>
        <Group gap="sm">
          {RAGELO.map((table) => (
            <File key={table} id={id} table={table} format="csv" text={EXPORTS[table]} />
          ))}
          <File id={id} table="trec" format="zip" text={EXPORTS.trec} />
        </Group>
      </More>
    </Group>
  );
}

interface FileProps {
  id: string;
  table: keyof typeof EXPORTS;
  format: (typeof FORMATS)[number] | "zip";
  text: string;
}

function File({ id, table, format, text }: FileProps) {
  // A zip has its own form.
  const wanted = format === "zip" ? `table=${table}` : `format=${format}&table=${table}`;
  return (
    <FileLink
      address={`/api/v1/sweeps/${encodeURIComponent(id)}/export?${wanted}`}
      aria-label={t("{table} as {format}", { table: EXPORTS[table], format: format.toUpperCase() })}
    >
      {text}
    </FileLink>
  );
}
