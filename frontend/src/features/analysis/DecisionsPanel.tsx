import { Group, Select } from "@mantine/core";
import type { SweepAnalysis } from "@/api/types";
import { Facts } from "@/components/Facts";
import { formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { foundIn } from "@/components/results/behind";
import { behindSweep } from "@/components/results/behindOf";
import { GoalLink } from "@/components/results/GoalLink";
import { Said, saidOf } from "@/components/Said";
import { cell, Sheet } from "@/components/Sheet";
import { Warnings } from "@/components/Warnings";
import { words } from "@/words";
import { type Decisions, MISSING, PANELS, SCOPES, TRUNCATED } from "./decisions";

const label = words.analysis;
const AUTOMATIC = "automatic";

interface Props {
  decisions: Decisions;
  onDecide: (next: Partial<Decisions>) => void;
  analysis: SweepAnalysis | undefined;
}

/** How a sweep is analysed, what a reader must be warned of, and what other decisions would give. */
export function DecisionsPanel({ decisions, onDecide, analysis }: Props) {
  const { panel, missing = "worst", truncated = "keep", scope = "all" } = decisions;
  const options = <Name extends string>(values: readonly Name[], names: Record<Name, string>) =>
    values.map((value) => ({ value, label: names[value] }));
  const usual = <Value extends string>(value: string | null, first: Value) =>
    value === null || value === first ? undefined : (value as Value);
  return (
    <Panel title={label.decisions}>
      <Group gap="sm" align="flex-start">
        <Select
          w="min(100%, 14rem)"
          label={label.panel}
          data={[
            { value: AUTOMATIC, label: label.panelAutomatic },
            ...PANELS.map((value) => ({ value, label: value })),
          ]}
          allowDeselect={false}
          value={panel ?? AUTOMATIC}
          onChange={(value) => onDecide({ panel: usual(value, AUTOMATIC) as Decisions["panel"] })}
        />
        <Select
          w="min(100%, 18rem)"
          label={label.missing}
          data={options(MISSING, label.missingPolicies)}
          allowDeselect={false}
          value={missing}
          onChange={(value) => onDecide({ missing: usual(value, "worst") as Decisions["missing"] })}
        />
        <Select
          w="min(100%, 14rem)"
          label={label.truncated}
          data={options(TRUNCATED, label.truncatedPolicies)}
          allowDeselect={false}
          value={truncated}
          onChange={(value) => onDecide({ truncated: usual(value, "keep") as Decisions["truncated"] })}
        />
        <Select
          w="min(100%, 14rem)"
          label={label.scope}
          data={options(SCOPES, label.scopes)}
          allowDeselect={false}
          value={scope}
          onChange={(value) => onDecide({ scope: usual(value, "all") as Decisions["scope"] })}
        />
      </Group>
      {analysis && (
        <>
          <Facts
            facts={[
              [label.panel, analysis.panel],
              [label.profile, words.figures.term(analysis.profile_label)],
              ...(analysis.control
                ? [[label.control, saidOf(analysis.control, analysis.wordings)] as [string, string]]
                : []),
            ]}
          />
          <Warnings title={label.warnings} warnings={analysis.warnings} wordings={analysis.wordings} />
          <Alternatives analysis={analysis} />
        </>
      )}
    </Panel>
  );
}

/** Mean CPS and recommendation, had missing or truncated answers been treated otherwise. */
function Alternatives({ analysis }: { analysis: SweepAnalysis }) {
  const { alternatives, configurations, recommendations } = analysis;
  if (alternatives.length === 0) return null;
  const several = recommendations.length > 1;
  const behind = behindSweep(configurations);
  const shown = (names: (string | null)[]) =>
    names
      .map((name, place) => {
        const said = name ?? label.recommendedNone;
        return several ? `${recommendations[place]?.model}: ${said}` : said;
      })
      .join("; ");
  return (
    <Sheet label={label.alternatives}>
      <thead>
        <tr>
          <th scope="col">{label.alternatives}</th>
          <th scope="col">{label.alternativeHere}</th>
          {alternatives.map(({ decision }) => (
            <th key={decision} scope="col">
              <Said text={decision} wordings={analysis.wordings} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {configurations.map((configuration, place) => (
          <tr key={configuration.run_ids[0]}>
            <th scope="row">
              <GoalLink goal={foundIn(behind, configuration)?.questions}>{configuration.name}</GoalLink>
            </th>
            <td className={cell.number}>{meanOf(configuration.mean_cps)}</td>
            {alternatives.map((other) => (
              <td key={other.decision} className={cell.number}>
                {meanOf(other.mean_cps[place])}
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">{words.sweep.recommended}</th>
          <td>{shown(recommendations.map(({ name }) => name))}</td>
          {alternatives.map((other) => (
            <td key={other.decision}>{shown(other.recommended)}</td>
          ))}
        </tr>
      </tbody>
    </Sheet>
  );
}

function meanOf(value: number | null | undefined): string {
  return value == null ? "–" : formatScore(value);
}
