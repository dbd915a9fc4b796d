import { Stack, Text } from "@mantine/core";
import type { SweepAnalysis } from "@/api/types";
import { Panel } from "@/components/Panel";
import { words } from "@/words";

/** What to take, in words, for each model. */
export function Recommendations({ analysis }: { analysis: SweepAnalysis }) {
  const hasBaseline = analysis.configurations.some((row) => row.is_baseline);
  const several = analysis.recommendations.length > 1;
  if (analysis.recommendations.length === 0) return null;
  return (
    <Panel title={words.sweep.recommendation}>
      {analysis.recommendations.map(({ model, name, reason }) => (
        <Stack key={model} gap={2}>
          <Text fw={650} size="lg">
            {several && `${model}: `}
            {name ?? (hasBaseline ? words.sweep.noRecommendation : words.sweep.noBaseline)}
          </Text>
          <Text maw="48rem">{reason}</Text>
        </Stack>
      ))}
    </Panel>
  );
}
