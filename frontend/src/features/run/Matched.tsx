import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMatchRun } from "@/api/steering";
import { sweepQueries } from "@/api/sweeps";
import type { Run, SweepDetail } from "@/api/types";
import { forRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { formatP } from "@/components/numbers/format";
import { CPS, formatGain } from "@/components/numbers/metricFormat";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";

/** Does the threshold do more than keep as many passages? The test, or the button that starts it. */
export function Matched({ run }: { run: Run }) {
  const isAskable = run.config.retrieval.mode === "score" && run.state === "finished";
  const sweeps = useQuery({ ...sweepQueries.page(), enabled: isAskable });
  if (!isAskable || sweeps.isPending) return null;
  const found = matchedSweep(run, sweeps.data?.items ?? []);
  return (
    <Panel title={t("Fixed k vs. threshold")} beside={found ? <Open id={found.id} /> : <Start run={run} />}>
      <Quiet maw="90ch">
        {t(
          "Adds a top-k configuration with as many passages as this run keeps on average, and tests by question whether the threshold performs better. The answers of the threshold configuration are reused; only the top-k configuration calls the model.",
        )}
      </Quiet>
      {found && <Outcome sweep={found} run={run} />}
    </Panel>
  );
}

function Open({ id }: { id: string }) {
  return (
    <ButtonLink to="/sweeps/$id" params={{ id }} variant="default" size="xs">
      {t("Open test")}
    </ButtonLink>
  );
}

const Start = forRole("researcher", function Start({ run }: { run: Run }) {
  const match = useMatchRun();
  const navigate = useNavigate();
  const start = async () => {
    const made = await match.mutateAsync({ params: { path: { run_id: run.id } } }).catch(() => null);
    if (!made) return;
    await navigate({ to: "/sweeps/$id", params: { id: made.id } });
  };
  return (
    <Button variant="default" size="xs" loading={match.isPending} onClick={start}>
      {t("Compare with fixed k")}
    </Button>
  );
});

/** The result of the test once its top-k configuration is finished. */
function Outcome({ sweep, run }: { sweep: SweepDetail; run: Run }) {
  const arm = sweep.runs[0]?.name ?? "";
  const isDone = sweep.state === "finished";
  const analysis = useQuery({ ...sweepQueries.analysis(sweep.id), enabled: isDone });
  if (!isDone)
    return <Text>{t("The test against {arm} is running or was stopped before its end.", { arm })}</Text>;
  const tested = analysis.data?.configurations.find((row) => !row.is_baseline)?.comparison;
  if (!tested) return null;
  const { gain, ci } = tested;
  const p = tested.judged.p;
  if (gain == null || ci == null) {
    return (
      <Text>
        {t("No test against {arm}: {reason}", {
          arm,
          reason: reasonOf(tested.judged.reason ?? tested.reason),
        })}
      </Text>
    );
  }
  const points = formatGain(CPS);
  return (
    <Text>
      {t(
        "Compared with {arm}, which keeps as many passages on average, the CPS gain of {run} is {gain} points (95 % CI {low} to {high}, n = {n, number}).",
        {
          run: run.name,
          arm,
          gain: points(gain),
          low: points(ci.low),
          high: points(ci.high),
          n: tested.n_pairs,
        },
      )}{" "}
      {p == null ? reasonOf(tested.judged.reason ?? tested.reason) : testOf(p)}
    </Text>
  );
}

/** `p = .012`, and `p < .001` below that. */
function testOf(p: number): string {
  const text = formatP(p);
  return text.startsWith("<")
    ? t("Bootstrap of questions: p {p}.", { p: text })
    : t("Bootstrap of questions: p = {p}.", { p: text });
}

/** Key order is no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a.localeCompare(b)))
      : inner,
  );
}

/**
 * The newest sweep that sets just this run's threshold against one Normal arm; none is `undefined`.
 *
 * It is known by what it holds, so that one started on the command line is found as well.
 */
export function matchedSweep(run: Run, sweeps: readonly SweepDetail[]): SweepDetail | undefined {
  const wanted = canonical({ ...run.config, repeat: 1 });
  return sweeps.find(({ sweep, runs }) => {
    const [arm, threshold] = runs;
    if (runs.length !== 2 || !arm?.is_baseline || !threshold) return false;
    if (sweep.axes.retrieval.length !== 1 || sweep.baseline?.mode !== "normal") return false;
    return canonical(threshold.config) === wanted;
  });
}
