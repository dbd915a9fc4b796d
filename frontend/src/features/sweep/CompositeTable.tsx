import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import clsx from "clsx";
import type { ConfigurationResult, SweepAnalysis } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { type Behind, foundIn } from "@/components/results/behind";
import { behindSweep } from "@/components/results/behindOf";
import { GoalLink } from "@/components/results/GoalLink";
import type { Goal } from "@/components/results/goals";
import { cell, Sheet } from "@/components/Sheet";
import { type Interval, sharedRange } from "@/figures/IntervalMark";
import { words } from "@/words";
import { COLUMNS, type Group } from "./columns";

const GROUPS: Group[] = ["composite", "gain", "retrieval"];
/** The first column of each group but the first, which the pinned column borders already. */
const [FIRST, ...OTHERS] = GROUPS;
const STARTS = new Set(OTHERS.map((group) => COLUMNS.find((column) => column.group === group)?.name));
const label = words.sweep;

/** Where the number of a column leads, if not to the run as the whole row does. */
function goalOf(column: string, behind: Behind | undefined): Goal | undefined {
  if (column === "gain" || column === "improvement") return behind?.changed;
  return column === "failed" ? behind?.failed : undefined;
}

/** Every configuration beside its baseline; a row opens its run, a gain the questions that changed most. */
export function CompositeTable({ analysis }: { analysis: SweepAnalysis }) {
  const range = sharedRange(analysis.configurations.map(({ comparison }) => comparison?.ci));
  const recommended = new Set(analysis.recommendations.map(({ name }) => name));
  const behind = behindSweep(analysis.configurations);
  const several = new Set(analysis.configurations.map(({ model }) => model)).size > 1;
  return (
    <Sheet label={label.results} pinned bounded>
      <thead>
        <tr>
          <th scope="col" rowSpan={2}>
            {label.configuration}
          </th>
          {GROUPS.map((group) => (
            <th
              key={group}
              scope="colgroup"
              className={clsx(group !== FIRST && cell.start)}
              colSpan={COLUMNS.filter((column) => column.group === group).length}
            >
              {label.groups[group]}
            </th>
          ))}
        </tr>
        <tr>
          {COLUMNS.map(({ name }) => {
            const [short, long] = label.columns[name];
            return (
              <th key={name} scope="col" className={clsx(cell.number, STARTS.has(name) && cell.start)}>
                <abbr title={long}>{short}</abbr>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {analysis.configurations.map((row) => (
          <ConfigurationRow
            key={row.run_ids[0]}
            row={row}
            range={range}
            behind={foundIn(behind, row)}
            isRecommended={recommended.has(row.name)}
            model={several ? row.model : null}
          />
        ))}
      </tbody>
    </Sheet>
  );
}

interface RowProps {
  row: ConfigurationResult;
  range: Interval;
  behind: Behind | undefined;
  isRecommended: boolean;
  model: string | null;
}

function ConfigurationRow({ row, range, behind, isRecommended, model }: RowProps) {
  const navigate = useNavigate();
  const open = { to: "/runs/$id", params: { id: row.run_ids[0] ?? "" } } as const;
  const notes = [model, row.is_baseline && label.baseline, isRecommended && label.recommended].filter(
    Boolean,
  );
  return (
    <tr className={cell.row} onClick={() => navigate(open)} data-mark={isRecommended || undefined}>
      <th scope="row">
        <AnchorLink {...open} size="sm" fw={550} onClick={(event) => event.stopPropagation()}>
          {row.name}
        </AnchorLink>
        {notes.length > 0 && (
          <Text size="xs" c="var(--quiet)">
            {notes.join(", ")}
          </Text>
        )}
      </th>
      {COLUMNS.map((column) => (
        <td key={column.name} className={clsx(cell.number, STARTS.has(column.name) && cell.start)}>
          <GoalLink goal={goalOf(column.name, behind)}>{column.cell(row, range)}</GoalLink>
        </td>
      ))}
    </tr>
  );
}
