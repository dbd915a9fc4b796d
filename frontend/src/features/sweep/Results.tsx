import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { SweepAnalysis, SweepDetail } from "@/api/types";
import { SmallLink } from "@/components/links";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { behindSweep } from "@/components/results/behindOf";
import { Waiting } from "@/components/Waiting";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { Basis } from "./Basis";
import { CompositeTable } from "./CompositeTable";
import { Exports } from "./Exports";
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
  const behind = useMemo(() => behindSweep(configurations ?? []), [configurations]);
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
      <Figures id={sweep.id} behind={behind} />
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
