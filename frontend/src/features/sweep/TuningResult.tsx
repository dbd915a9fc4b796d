import { Button, Group, Stack, Text } from "@mantine/core";
import type { ListedTuning, TunedTask, TuningReport } from "@/api/types";
import { ForRole } from "@/components/ForRole";
import { estimatedInterval } from "@/components/judging/estimatedInterval";
import { JudgingProgress } from "@/components/judging/JudgingProgress";
import { formatScore } from "@/components/numbers/format";
import { StateBadge } from "@/components/StateBadge";
import { type Column, countColumn, DataTable, scoreColumn, textColumn } from "@/components/table";
import { saveText } from "@/figures/save";
import { t } from "@/words";

interface Props {
  tuning: ListedTuning;
  onUse: (tuned: TunedTask) => void;
}

/** One tuning: its progress, or its candidates with the test of the chosen one. */
export function TuningResult({ tuning: { id, columns, settings, job, report }, onUse }: Props) {
  const column = (report?.plan.columns ?? columns).join(", ");
  const title = t("{column}, seed {seed, number}", { column, seed: settings.seed });
  const tuned = report?.tuned;
  // Left out by the server where the task has one metric.
  const metrics = tuned?.evidence.columns ?? [];
  return (
    <Stack gap="xs" component="section" aria-label={t("Tuning of {column}", { column })}>
      <Group gap="sm">
        <Text fw={550}>{title}</Text>
        {job && <StateBadge state={job.state} />}
      </Group>
      {job && <JudgingProgress job={job} cancel={t("Cancel tuning")} />}
      {report && (
        <>
          <DataTable
            name="tuning"
            label={t("Instructions of {column}", { column })}
            columns={columnsOf(report)}
            rows={report.candidates.map((candidate, place) => ({ ...candidate, place }))}
            keyOf={({ place }) => String(place)}
            isShort
          />
          {metrics.length > 0 && (
            <DataTable
              name="tuned"
              label={t("Metrics of the tuned task")}
              columns={METRICS}
              rows={metrics}
              keyOf={(each) => each.column}
              isShort
            />
          )}
          <Text size="sm" role="status">
            {tuned ? tested(tuned) : t("No candidate agrees better with people than the unchanged task.")}
          </Text>
        </>
      )}
      {tuned && (
        <Group gap="xs">
          <ForRole>
            <Button size="xs" variant="default" onClick={() => onUse(tuned)}>
              {t("Judge with this task")}
            </Button>
          </ForRole>
          <Button
            size="xs"
            variant="default"
            onClick={() => saveText(JSON.stringify(tuned, null, 2), `task-${id}.json`, "application/json")}
          >
            {t("Save task file")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

type Row = TuningReport["candidates"][number] & { place: number };

function columnsOf({ chosen, plan }: TuningReport): Column<Row>[] {
  return [
    textColumn("instruction", t("Instruction"), ({ instruction }) => instruction, {
      note: ({ place }) =>
        [place === 0 && t("unchanged task"), place === chosen && t("chosen")].filter(Boolean).join(", ") ||
        null,
    }),
    countColumn("shots", t("Examples"), ({ shots }) => shots),
    countColumn("judged", t("Judged answers"), ({ judged }) => judged, {
      note: ({ judged }) => judged < plan.selection && t("of {count, number}", { count: plan.selection }),
    }),
    scoreColumn("rho", t("Spearman’s ρ"), ({ rho }) => rho, { reason: CONSTANT }),
    scoreColumn("error", t("Mean error"), ({ error }) => error),
  ];
}

type Metric = TunedTask["evidence"]["columns"][number];

const CONSTANT = t("People or judge gave the same value everywhere.");

/** How each metric of the task did on ratings that did not choose it. */
const METRICS: Column<Metric>[] = [
  textColumn("metric", t("Metric"), ({ column }) => column),
  countColumn("test", t("Rated answers"), ({ test }) => test),
  scoreColumn("rho-before", t("Spearman’s ρ before"), ({ rho_before }) => rho_before, { reason: CONSTANT }),
  scoreColumn("rho-after", t("Spearman’s ρ after"), ({ rho_after }) => rho_after, { reason: CONSTANT }),
  scoreColumn("error-before", t("Mean error before"), ({ error_before }) => error_before),
  scoreColumn("error-after", t("Mean error after"), ({ error_after }) => error_after),
];

/** What the chosen task achieved on ratings that did not choose it. */
function tested({ evidence }: TunedTask): string {
  const shown = (value: number | null) => (value === null ? t("not defined") : formatScore(value, 2));
  const result = t(
    "On {test, plural, one {# other rated answer} other {# other rated answers}}: Spearman’s ρ {before} before, {after} after; mean error {was} before, {now} after (95 % interval of the change {interval}).",
    {
      test: evidence.test,
      before: shown(evidence.rho_before),
      after: shown(evidence.rho_after),
      was: shown(evidence.error_before),
      now: shown(evidence.error_after),
      interval: estimatedInterval(evidence.error_change),
    },
  );
  return isBetter(evidence)
    ? result
    : `${result} ${t("On these answers the tuned task agrees no better with people than the unchanged one.")}`;
}

function isBetter({ rho_before, rho_after, error_before, error_after }: TunedTask["evidence"]): boolean {
  return (rho_after ?? 0) > (rho_before ?? 0) || (error_after ?? 1) < (error_before ?? 1);
}
