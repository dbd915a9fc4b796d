import { Group, NativeSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import { systemQueries } from "@/api/system";
import type { Figure, SweepAnalysis } from "@/api/types";
import { bindText } from "@/components/fields";
import { CPS } from "@/components/numbers/metricFormat";
import type { Area } from "@/figures/brush";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";
import classes from "./Pairs.module.css";
import { Part } from "./Part";
import { areaOf, SelectPairs } from "./SelectPairs";
import { RESULTS } from "./state";
import { useMatrixView } from "./useMatrix";

/** One configuration against its baseline, a point for each question; first the recommended one, else the best. */
export function Pairs({ id, analysis }: { id: string; analysis: SweepAnalysis }) {
  const compared = analysis.configurations.filter(({ comparison }) => comparison?.n_pairs);
  const recommended = analysis.verdict.conclusions[0]?.run_ids[0];
  const best = [...compared].sort((one, other) => (other.mean_cps ?? 0) - (one.mean_cps ?? 0))[0]?.run_ids[0];
  const [chosen, choose] = useState(recommended ?? best ?? "");
  const { primary } = analysis.rule;
  const metrics = useQuery(systemQueries.metrics(analysis.profile)).data?.items.map(({ name }) => name) ?? [];
  const [metric, measure] = useState(primary);
  const { data } = useQuery({ ...sweepQueries.pairs(id, chosen, metric), enabled: chosen !== "" });
  const [figure, differences] = data?.items ?? [];
  if (!figure || !differences) return null;
  const several = new Set(compared.map(({ model }) => model)).size > 1;
  return (
    <Part
      id="pairs"
      title={t("Question by question")}
      about={t("A configuration against its baseline, one point per question")}
    >
      <Group gap="sm">
        <NativeSelect
          size="xs"
          w="fit-content"
          label={t("Compared with its baseline")}
          {...bindText(chosen, choose)}
          data={compared.map(({ name, model, run_ids }) => ({
            value: run_ids[0] ?? "",
            label: several ? `${model}, ${name}` : name,
          }))}
        />
        <NativeSelect
          size="xs"
          w="fit-content"
          label={t("Metric of the points")}
          {...bindText(metric, measure)}
          data={[CPS, ...metrics]}
        />
      </Group>
      <div className={classes.margin}>
        <div>
          <Selectable
            key={`${chosen} ${metric}`}
            figure={figure}
            run={chosen}
            metric={metric === primary ? undefined : metric}
          />
        </div>
        <FigureView figure={differences} />
      </div>
    </Part>
  );
}

/** The figure, and the part of it whose questions the table of questions then shows. */
function Selectable({ figure, run, metric }: { figure: Figure; run: string; metric: string | undefined }) {
  const { change } = useMatrixView();
  const [area, setArea] = useState<Area>(() => areaOf(figure));
  const show = async () => {
    // The figure shows its metric against the configuration's own baseline, and so must the table.
    const selected = { area: [run, ...area.x, ...area.y].join(","), of: run };
    const cleared = { metric, baseline: undefined, only: undefined, find: undefined };
    await change({ ...cleared, ...selected, view: "questions" });
    document.getElementById(RESULTS)?.scrollIntoView();
  };
  return (
    <Stack gap="xs">
      <FigureView figure={figure} onSelect={setArea} />
      <SelectPairs figure={figure} area={area} onChange={setArea} onShow={show} />
    </Stack>
  );
}
