import { Anchor, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useExportTimings } from "@/api/timings";
import type { ComparedTimings, TimingReport } from "@/api/types";
import { Panel } from "@/components/Panel";
import { ofRun } from "@/components/results/goals";
import type { QuestionSource } from "@/components/results/questionSources";
import { ResultTables } from "@/components/results/ResultTables";
import { saveBlob } from "@/figures/save";
import { t } from "@/words";
import type { Asked } from "./margins";

const FORMATS = { csv: ["CSV", "csv"], xlsx: ["XLSX", "xlsx"], latex: ["LaTeX", "tex"] } as const;

const TITLES = {
  ratio: t(
    "Geometric mean of the ratios this sweep / other sweep over questions. Above 1: this sweep takes longer, or generates more tokens per second",
  ),
  equivalent: t("Two one-sided t-tests (TOST), α = .05. A large p does not prove a difference"),
  n_pairs: t("Questions in both sweeps"),
  mean_difference: t("Mean of (this sweep − other sweep) over questions"),
};

interface Props {
  compared: ComparedTimings;
  here: TimingReport;
  /** What the server was asked; it is asked the same for a file. */
  body: Asked;
}

/** Each configuration that both have: times, answers and scores, and whether they are shown to be the same. */
export function TimeRatios({ compared, here, body }: Props) {
  const [shown, setShown] = useState<string>();
  const { tables, configurations, only_here, only_there } = compared;
  return (
    <>
      {tables.length > 0 && (
        <ResultTables
          tables={tables}
          titles={TITLES}
          save={(table) => <Save here={compared.here} body={body} table={table} />}
          shown={shown}
          onShow={setShown}
          sources={behindTimed(here)}
        />
      )}
      {(configurations.length === 0 || only_here.length > 0 || only_there.length > 0) && (
        <Panel title={t("Times")}>
          {configurations.length === 0 && (
            <Text>
              {t("The two sweeps have no configuration in common. Compare sweeps of the same experiment.")}
            </Text>
          )}
          {only_here.length > 0 && (
            <Text size="sm">{t("Only in this sweep: {names}.", { names: only_here.join(", ") })}</Text>
          )}
          {only_there.length > 0 && (
            <Text size="sm">{t("Only in the other sweep: {names}.", { names: only_there.join(", ") })}</Text>
          )}
        </Panel>
      )}
    </>
  );
}

/** The configurations of this side, each with its first run. */
function behindTimed({ configurations }: TimingReport): QuestionSource[] {
  return configurations.flatMap(({ model, name, run_ids: [run] }) =>
    run === undefined ? [] : [{ model, name, threshold: null, isBaseline: false, questions: ofRun(run) }],
  );
}

function Save({ here, body, table }: { here: string; body: Asked; table: string }) {
  const { mutate } = useExportTimings(here, body, table);
  const save = (format: keyof typeof FORMATS) =>
    mutate(format, { onSuccess: (file) => saveBlob(file, `${here}-timings-compared.${FORMATS[format][1]}`) });
  return (
    <Group gap={8}>
      {(Object.keys(FORMATS) as (keyof typeof FORMATS)[]).map((format) => (
        <Anchor
          key={format}
          component="button"
          type="button"
          size="sm"
          aria-label={t("Save comparison as {format}", { format: FORMATS[format][0] })}
          onClick={() => save(format)}
        >
          {FORMATS[format][0]}
        </Anchor>
      ))}
    </Group>
  );
}
