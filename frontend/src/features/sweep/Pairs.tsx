import { NativeSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import type { SweepAnalysis } from "@/api/types";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";

/** One configuration against its baseline, a point for each question; first the recommended one, else the best. */
export function Pairs({ id, analysis }: { id: string; analysis: SweepAnalysis }) {
  const compared = analysis.configurations.filter(({ comparison }) => comparison != null);
  const recommended = analysis.verdict.conclusions[0]?.run_ids[0];
  const best = [...compared].sort((one, other) => (other.mean_cps ?? 0) - (one.mean_cps ?? 0))[0]?.run_ids[0];
  const [chosen, choose] = useState(recommended ?? best ?? "");
  const { data } = useQuery({ ...sweepQueries.pairs(id, chosen), enabled: chosen !== "" });
  if (!data) return null;
  const several = new Set(compared.map(({ model }) => model)).size > 1;
  return (
    <Stack gap="xs">
      <NativeSelect
        size="xs"
        w="fit-content"
        label={t("Compared with its baseline")}
        value={chosen}
        onChange={({ currentTarget: { value } }) => choose(value)}
        data={compared.map(({ name, model, run_ids }) => ({
          value: run_ids[0] ?? "",
          label: several ? `${model}, ${name}` : name,
        }))}
      />
      <FigureView figure={data} />
    </Stack>
  );
}
