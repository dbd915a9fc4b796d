import { Progress, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { SweepDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { cell, Sheet } from "@/components/Sheet";
import { StateBadge } from "@/components/StateBadge";
import { words } from "@/words";
import { policyRange } from "./policyRange";
import classes from "./SweepTable.module.css";

/** All sweeps, newest first; a row opens its sweep. */
export function SweepTable({ items }: { items: SweepDetail[] }) {
  return (
    <Sheet label={words.sweeps.title}>
      <thead>
        <tr>
          <th scope="col">{words.sweeps.name}</th>
          <th scope="col">{words.sweeps.state}</th>
          <th scope="col">{words.sweeps.compared}</th>
          <th scope="col">{words.sweeps.progress}</th>
          <th scope="col" className={cell.number}>
            {words.sweeps.started}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <SweepRow key={item.id} item={item} />
        ))}
      </tbody>
    </Sheet>
  );
}

function SweepRow({ item }: { item: SweepDetail }) {
  const navigate = useNavigate();
  const total = item.questions * item.runs.length;
  const scored = item.runs.reduce((sum, { counts }) => sum + counts.scored, 0);
  const failed = item.runs.reduce((sum, { counts }) => sum + counts.failed, 0);
  const open = { to: "/sweeps/$id", params: { id: item.id } } as const;
  return (
    <tr className={cell.row} onClick={() => navigate(open)}>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open} fw={550} onClick={(event) => event.stopPropagation()}>
          {item.sweep.name}
        </AnchorLink>
        <Text size="xs" c="var(--quiet)">
          {item.sweep.config.collection}, {words.sweeps.questions(formatCount(item.questions))}
        </Text>
      </th>
      <td>
        <StateBadge state={item.state} />
      </td>
      <td>
        {words.sweeps.configurations(item.runs.length)}
        <Text size="xs" c="var(--quiet)">
          {policyRange(item.sweep)}
        </Text>
      </td>
      <td className={classes.progress}>
        {words.sweeps.of(formatCount(scored), formatCount(total))}
        {failed > 0 && (
          <Text span size="xs" c="var(--bad-text)" ml={6}>
            {words.sweeps.failed(formatCount(failed))}
          </Text>
        )}
        {item.state !== "finished" && (
          <Progress
            size="sm"
            mt={4}
            value={total > 0 ? (100 * (scored + failed)) / total : 0}
            aria-label={words.sweeps.progress}
          />
        )}
      </td>
      <td className={cell.number}>
        <Moment at={item.created_at} />
      </td>
    </tr>
  );
}
