import { Progress, Text } from "@mantine/core";
import type { Run } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { cell, Sheet } from "@/components/Sheet";
import { StateBadge } from "@/components/StateBadge";
import { words } from "@/words";

/** The configurations while they run. */
export function RunTable({ runs }: { runs: Run[] }) {
  return (
    <Sheet label={words.sweep.runs} pinned>
      <thead>
        <tr>
          <th scope="col">{words.sweep.configuration}</th>
          <th scope="col">{words.sweep.state}</th>
          <th scope="col">{words.sweep.progress}</th>
          <th scope="col" className={cell.number}>
            {words.sweep.columns.failed[0]}
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </tbody>
    </Sheet>
  );
}

function RunRow({ run }: { run: Run }) {
  const { questions, scored, failed } = run.counts;
  return (
    <tr>
      <th scope="row">
        <AnchorLink to="/runs/$id" params={{ id: run.id }} size="sm">
          {run.name}
        </AnchorLink>
        {run.is_baseline && (
          <Text span size="xs" c="var(--quiet)" ml={6}>
            {words.sweep.baseline}
          </Text>
        )}
      </th>
      <td>
        <StateBadge state={run.state} />
      </td>
      <td>
        {words.sweeps.of(formatCount(scored), formatCount(questions))}
        <Progress
          size="xs"
          mt={4}
          value={questions > 0 ? (100 * (scored + failed)) / questions : 0}
          aria-label={words.sweep.progressName(formatCount(scored), formatCount(questions))}
        />
      </td>
      <td className={cell.number}>{formatCount(failed)}</td>
    </tr>
  );
}
