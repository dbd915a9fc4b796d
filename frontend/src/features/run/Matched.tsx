import { Button, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Run, SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { formatCount, formatDifference, formatP } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import { matchedSweep } from "./matchedSweep";

const label = words.run;
const LIMIT = 50;
const POINT = 0.01;

/** Does the threshold do more than keep as many passages? The test, or the button that starts it. */
export function Matched({ run }: { run: Run }) {
  const isAskable = run.config.retrieval.mode === "score" && run.state === "finished";
  const sweeps = api.useQuery(
    "get",
    "/api/v1/sweeps",
    { params: { query: { limit: LIMIT } } },
    { enabled: isAskable },
  );
  if (!isAskable || sweeps.isPending) return null;
  const found = matchedSweep(run, sweeps.data?.items ?? []);
  return (
    <Panel title={label.match} beside={found ? <Open id={found.id} /> : <Start run={run} />}>
      <Text size="sm" c="var(--quiet)" maw="90ch">
        {label.matchHint}
      </Text>
      {found && <Outcome sweep={found} run={run} />}
    </Panel>
  );
}

function Open({ id }: { id: string }) {
  return (
    <ButtonLink to="/sweeps/$id" params={{ id }} variant="default" size="xs">
      {label.matchOpen}
    </ButtonLink>
  );
}

function Start({ run }: { run: Run }) {
  const match = api.useMutation("post", "/api/v1/runs/{run_id}/k-or-threshold");
  const cache = useQueryClient();
  const navigate = useNavigate();
  const start = async () => {
    const made = await match.mutateAsync({ params: { path: { run_id: run.id } } }).catch(() => null);
    if (!made) return;
    await cache.invalidateQueries({ queryKey: ["get", "/api/v1/sweeps"] });
    await navigate({ to: "/sweeps/$id", params: { id: made.id } });
  };
  return (
    <Button variant="default" size="xs" loading={match.isPending} onClick={start}>
      {label.match}
    </Button>
  );
}

/** What the test says once its Normal arm is finished. */
function Outcome({ sweep, run }: { sweep: SweepDetail; run: Run }) {
  const arm = sweep.runs[0]?.name ?? "";
  const isDone = sweep.state === "finished";
  const analysis = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}/analysis",
    { params: { path: { sweep_id: sweep.id } } },
    { enabled: isDone },
  );
  if (!isDone) return <Text>{label.matchUnder(arm)}</Text>;
  const tested = analysis.data?.configurations.find((row) => !row.is_baseline)?.comparison;
  if (!tested) return null;
  const { gain, ci, p } = tested;
  if (gain == null || ci == null) {
    return <Text>{label.matchNone(arm, words.numbers.reason(tested.reason))}</Text>;
  }
  const points = (value: number) => formatDifference(value / POINT, 2);
  return (
    <Text>
      {label.matchGain({
        run: run.name,
        arm,
        gain: points(gain),
        low: points(ci.low),
        high: points(ci.high),
        n: formatCount(tested.n_pairs),
      })}{" "}
      {p == null ? words.numbers.reason(tested.reason) : testOf(p)}
    </Text>
  );
}

/** `p = .012`, and `p < .001` below that. */
function testOf(p: number): string {
  const text = formatP(p);
  return text.startsWith("<") ? label.matchLow(text) : label.matchP(text);
}
