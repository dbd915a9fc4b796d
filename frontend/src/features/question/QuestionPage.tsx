import { Grid, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { Answers } from "@/components/evaluation/Answers";
import { detailOfRun } from "@/components/evaluation/detail";
import { Passages } from "@/components/evaluation/Passages";
import { PromptPanel } from "@/components/evaluation/PromptPanel";
import { Scores } from "@/components/evaluation/Scores";
import { Timings } from "@/components/evaluation/Timings";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Steps } from "./Steps";

const route = getRouteApi("/runs/$id/questions/$number");

/** One question under one configuration, whole. In the address questions count from 1, as on screen. */
export function QuestionPage(): ReactNode {
  const { id, number } = route.useParams();
  const query = api.useQuery("get", "/api/v1/runs/{run_id}/evaluations/{number}", {
    params: { path: { run_id: id, number: Number(number) - 1 } },
  });
  if (query.isPending) return <Waiting height={320} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const { run, evaluation } = query.data;
  const detail = detailOfRun(query.data);
  const total = run.counts.questions;
  return (
    <>
      <PageHead
        title={words.evaluation.title(formatCount(Number(number)), formatCount(total))}
        trail={
          <AnchorLink to="/runs/$id" params={{ id }} size="sm">
            {run.name}
          </AnchorLink>
        }
        beside={<StateBadge state={evaluation.state} />}
        actions={<Steps run={id} number={Number(number)} total={total} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="lg">
            <Answers detail={detail} />
            <Passages detail={detail} />
            <PromptPanel prompt={detail.prompt} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="lg">
            <Scores detail={detail} />
            <Timings detail={detail} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
