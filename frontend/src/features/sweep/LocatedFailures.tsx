import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { sweepQueries } from "@/api/sweeps";
import type { FailureReport, RunFailures } from "@/api/types";
import { countOf, DECISIONS, FOUR, intervalOf } from "@/components/located/decisions";
import { StackedCounts } from "@/components/located/Located";
import { formatScore } from "@/components/numbers/format";
import { Quiet } from "@/components/Quiet";
import { Subsection } from "@/components/Subsection";
import { type Column, countColumn, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { LABELS, LOCATED } from "@/words/located";
import { Part } from "./Part";

/** At which step each configuration lost its questions, side by side. */
export function LocatedFailures({ id }: { id: string }) {
  const { data } = useQuery(sweepQueries.failures(id));
  if (!data?.runs.some(({ n }) => n > 0)) return null;
  const isLocated = data.runs.some(({ counts, n }) => (counts.gold_unknown ?? 0) < n);
  return (
    <Part
      id="located"
      title={t("Failures by stage")}
      about={t("Where each configuration loses its questions, and when it abstains")}
    >
      {isLocated ? (
        <>
          <DataTable
            name="located"
            at="located"
            label={t("Failures by stage")}
            columns={columns(data.runs)}
            rows={data.runs}
            keyOf={({ run_id }) => run_id}
            open={({ run_id }) => ({ to: "/runs/$id", params: { id: run_id }, hash: "failures" })}
          />
          <Quiet>{data.low?.line}</Quiet>
        </>
      ) : (
        <Text size="sm">
          {t(
            "The questions have no gold passages, so it is not known whether retrieval, the threshold or the model lost an answer. Import the questions with a column gold_passages or contexts to see it.",
          )}
        </Text>
      )}
      {data.runs.some(({ decisions }) => decisions) && <Decided found={data} />}
    </Part>
  );
}

/** Answers and abstentions of each configuration, with and without passages that contain the answer. */
function Decided({ found: { runs, deciders } }: { found: FailureReport }) {
  return (
    <Subsection title={t("Answer or abstention")}>
      <DataTable
        name="decided"
        at="decided"
        label={t("Answer or abstention")}
        columns={DECIDED}
        rows={runs}
        keyOf={({ run_id }) => run_id}
      />
      <Quiet>{t("Below each count: the 95 % Wilson interval of its share.")}</Quiet>
      {deciders?.map((line) => (
        <Quiet key={line}>{line}</Quiet>
      ))}
    </Subsection>
  );
}

function columns(runs: RunFailures[]): Column<RunFailures>[] {
  const used = LABELS.filter((label) => runs.some(({ counts }) => counts[label]));
  return [
    plainColumn("name", t("Configuration"), ({ name }) => name),
    plainColumn("bar", t("Share of questions"), ({ counts, n }) => (n > 0 ? (counts.fine ?? 0) / n : null), {
      cell: ({ counts, n }) => <StackedCounts counts={counts} n={n} />,
    }),
    ...used.map(
      (label): Column<RunFailures> => countColumn(label, LOCATED[label], ({ counts }) => counts[label] ?? 0),
    ),
    ...(runs.some(({ needed }) => needed) ? neededColumns() : []),
  ];
}

const DECIDED: Column<RunFailures>[] = [
  plainColumn("name", t("Configuration"), ({ name }) => name),
  ...DECISIONS.map(
    ([name, label]): Column<RunFailures> =>
      countColumn(name, label, ({ decisions }) => decisions?.[name].n, {
        isExtra: FOUR.includes(name) ? false : "narrow",
        reason: t("It is not known for any question whether its passages contain the answer."),
        cell: ({ decisions }) => decisions && countOf(decisions[name]),
        note: ({ decisions }) => decisions && intervalOf(decisions[name]),
      }),
  ),
];

/** Cuts that would have kept the gold passages of half of the questions that lost them, with what each keeps. */
function neededColumns(): Column<RunFailures>[] {
  const group = t("Setting that keeps gold passages");
  const reason = t("No gold passage was retrieved but not kept.");
  const kept = (count: number, of: number) => t("{count, number} of {n, number}", { count, n: of });
  return [
    countColumn("needed-k", t("k"), ({ needed }) => needed?.k, {
      group,
      reason,
      note: ({ needed }) => needed && kept(needed.kept_at_k, needed.of),
    }),
    plainColumn("needed-similarity", t("Threshold"), ({ needed }) => needed?.min_similarity, {
      group,
      reason: ({ needed }) =>
        needed ? t("A threshold applies only to rankings by similarity: the retriever Dense.") : reason,
      format: (value) => formatScore(value, 2),
      note: ({ needed }) => needed?.kept_at_similarity != null && kept(needed.kept_at_similarity, needed.of),
    }),
  ];
}
