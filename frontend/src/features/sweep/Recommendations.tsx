import { Anchor, Stack, Text } from "@mantine/core";
import type { SweepAnalysis } from "@/api/types";
import { Panel } from "@/components/Panel";
import { foundIn } from "@/components/results/behind";
import { behindSweep } from "@/components/results/behindOf";
import { GoalLink } from "@/components/results/GoalLink";
import { Said } from "@/components/Said";
import { words } from "@/words";
import { OUTLETS } from "./state";

/** What to take, in words, for each model. */
export function Recommendations({ analysis }: { analysis: SweepAnalysis }) {
  const hasBaseline = analysis.configurations.some((row) => row.is_baseline);
  const several = analysis.recommendations.length > 1;
  const behind = behindSweep(analysis.configurations);
  if (analysis.recommendations.length === 0) return null;
  return (
    <Panel title={words.sweep.recommendation}>
      {analysis.recommendations.map(({ model, name, reason }) => (
        <Stack key={model} gap={2}>
          <Text fw={650} size="lg">
            {several && `${model}: `}
            <GoalLink goal={name === null ? undefined : foundIn(behind, { model, name })?.questions}>
              {name ?? (hasBaseline ? words.sweep.noRecommendation : words.sweep.noBaseline)}
            </GoalLink>
          </Text>
          <Text maw="48rem">
            <Said text={reason} wordings={analysis.wordings} />
          </Text>
        </Stack>
      ))}
      <Anchor href={`#${OUTLETS}`} size="sm">
        {words.sweep.toOutlets}
      </Anchor>
    </Panel>
  );
}
