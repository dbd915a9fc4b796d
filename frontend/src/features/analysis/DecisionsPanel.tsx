import { Group, Select } from "@mantine/core";
import { usual } from "@/api/defaults";
import type { SweepAnalysis } from "@/api/types";
import { Facts } from "@/components/Facts";
import { bindChoice } from "@/components/fields";
import { Panel } from "@/components/Panel";
import type { Goal } from "@/components/results/goals";
import { foundIn } from "@/components/results/questionSources";
import { sourcesOfSweep } from "@/components/results/sourcesOf";
import { type Column, DataTable, plainColumn, scoreColumn } from "@/components/table";
import { Warnings } from "@/components/Warnings";
import { t } from "@/words";
import { type Decisions, MISSING, PANELS, SCOPES, TRUNCATED } from "./decisions";
import { VerdictSettings } from "./VerdictSettings";

const MISSING_POLICIES = {
  worst: t("Count system failures as the worst value"),
  drop: t("Exclude the question"),
};
const TRUNCATED_POLICIES = { keep: t("Keep"), exclude: t("Exclude from all configurations") };
const SCOPE_NAMES = {
  all: t("All runs"),
  model: t("Per model"),
  run: t("Per run"),
};
const AUTOMATIC = "automatic";

interface Props {
  decisions: Decisions;
  onDecide: (next: Partial<Decisions>) => void;
  analysis: SweepAnalysis | undefined;
}

/** How a sweep is analysed, what a reader must be warned of, and what other decisions would give. */
export function DecisionsPanel({ decisions, onDecide, analysis }: Props) {
  const { panel, missing = usual.missing, truncated = usual.truncated, scope = usual.scope } = decisions;
  const options = <Name extends string>(values: readonly Name[], names: Record<Name, string>) =>
    values.map((value) => ({ value, label: names[value] }));
  // What is usual stands in no address.
  const decide = (name: keyof Decisions, usual: string) => (value: string) =>
    onDecide({ [name]: value === usual ? undefined : value });
  return (
    <Panel title={t("Analysis settings")}>
      <Group gap="sm" align="flex-start">
        <Select
          w="min(100%, 14rem)"
          label={t("Panel")}
          data={[
            { value: AUTOMATIC, label: t("Automatic") },
            ...PANELS.map((value) => ({ value, label: value })),
          ]}
          {...bindChoice(panel ?? AUTOMATIC, decide("panel", AUTOMATIC))}
        />
        <Select
          w="min(100%, 30rem)"
          label={t("Missing scores")}
          data={options(MISSING, MISSING_POLICIES)}
          {...bindChoice(missing, decide("missing", usual.missing))}
        />
        <Select
          w="min(100%, 18rem)"
          label={t("Truncated prompts and answers")}
          data={options(TRUNCATED, TRUNCATED_POLICIES)}
          {...bindChoice(truncated, decide("truncated", usual.truncated))}
        />
        <Select
          w="min(100%, 14rem)"
          label={t("Pools")}
          data={options(SCOPES, SCOPE_NAMES)}
          {...bindChoice(scope, decide("scope", usual.scope))}
        />
      </Group>
      <VerdictSettings decisions={decisions} onDecide={onDecide} analysis={analysis} />
      {analysis && (
        <>
          <Facts
            facts={[
              [t("Panel"), analysis.panel],
              [t("Metric definitions"), analysis.profile_label],
              analysis.control && [t("Comparison with baseline"), analysis.control],
            ]}
          />
          <Warnings warnings={analysis.warnings} />
          <Alternatives analysis={analysis} />
        </>
      )}
    </Panel>
  );
}

interface Line {
  name: string;
  /** As decided here, then as in each alternative. */
  values: (number | string | null | undefined)[];
  goal?: Goal | undefined;
}

/** Mean CPS and recommendation, had missing or truncated answers been treated otherwise. */
function Alternatives({ analysis }: { analysis: SweepAnalysis }) {
  const { alternatives, configurations } = analysis;
  const { conclusions } = analysis.verdict;
  if (alternatives.length === 0) return null;
  const sources = sourcesOfSweep(configurations);
  const shown = (names: (string | null)[]) =>
    names
      .map((name, place) => {
        const said = name ?? t("none", {}, "configuration");
        return conclusions.length > 1 ? `${conclusions[place]?.model}: ${said}` : said;
      })
      .join("; ");
  const lines: Line[] = configurations.map((configuration, place) => ({
    name: configuration.name,
    values: [configuration.mean_cps, ...alternatives.map(({ mean_cps }) => mean_cps[place])],
    goal: foundIn(sources, configuration)?.questions,
  }));
  lines.push({
    name: t("recommended"),
    values: [
      shown(conclusions.map(({ name }) => name)),
      ...alternatives.map((one) => shown(one.recommended)),
    ],
  });
  const columns = [t("Current settings"), ...alternatives.map(({ decision }) => decision)].map(
    (label, place): Column<Line> =>
      scoreColumn(`decision-${place}`, label, ({ values }) => values[place], { sort: "none" }),
  );
  return (
    <DataTable
      name="alternatives"
      label={t("Mean CPS under other settings")}
      columns={[
        plainColumn<Line>("configuration", t("Mean CPS under other settings"), ({ name }) => name, {
          sort: "none",
          goal: ({ goal }) => goal,
        }),
        ...columns,
      ]}
      rows={lines}
      keyOf={({ name }) => name}
      isShort
    />
  );
}
