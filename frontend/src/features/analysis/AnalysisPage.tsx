import { Group, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { useAllSweeps } from "@/api/sweeps";
import type { ImportSummary, SweepDetail } from "@/api/types";
import { AnchorLink, ButtonLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { StateBadge } from "@/components/StateBadge";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { ImportSheets } from "./ImportSheets";

const label = words.analysis;

/** What can be analysed: sweeps of this installation, and sheets of others. */
export function AnalysisPage(): ReactNode {
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      <Stack gap="lg">
        <Sweeps />
        <Imports />
        <Panel title={label.across}>
          <Text maw="48rem">{label.acrossText}</Text>
          <Group gap="xs">
            <ButtonLink to="/analysis/domains" variant="default">
              {label.toDomains}
            </ButtonLink>
            <ButtonLink to="/analysis/times" variant="default">
              {label.toTimes}
            </ButtonLink>
          </Group>
        </Panel>
        <Panel title={label.import}>
          <Text maw="48rem">{label.importText}</Text>
          <ImportSheets />
        </Panel>
      </Stack>
    </>
  );
}

function Sweeps() {
  const query = useAllSweeps();
  const items = (query.data ?? []).filter(({ runs }) => runs.some(({ counts }) => counts.scored > 0));
  return (
    <Panel title={label.sweeps}>
      {query.isPending && <Waiting height={120} />}
      {query.isError && <ProblemNotice error={query.error} onRetry={() => query.refetch()} />}
      {query.data && items.length === 0 && (
        <Stack align="flex-start" gap="sm">
          <Text>{label.sweepsEmpty}</Text>
          <ButtonLink to="/new" variant="default">
            {label.newSweep}
          </ButtonLink>
        </Stack>
      )}
      {items.length > 0 && (
        <Sheet label={label.sweeps} bounded>
          <thead>
            <tr>
              <th scope="col">{label.name}</th>
              <th scope="col">{words.sweeps.state}</th>
              <th scope="col" className={cell.number}>
                {words.shell.runs}
              </th>
              <th scope="col" className={cell.number}>
                {words.sweeps.started}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <SweepLine key={item.id} item={item} />
            ))}
          </tbody>
        </Sheet>
      )}
    </Panel>
  );
}

function SweepLine({ item }: { item: SweepDetail }) {
  const navigate = useNavigate();
  const open = { to: "/analysis/sweeps/$id", params: { id: item.id } } as const;
  return (
    <tr className={cell.row} onClick={() => navigate(open)}>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open} size="sm" fw={550} onClick={(event) => event.stopPropagation()}>
          {item.sweep.name}
        </AnchorLink>
      </th>
      <td>
        <StateBadge state={item.state} />
      </td>
      <td className={cell.number}>{formatCount(item.runs.length)}</td>
      <td className={cell.number}>
        <Moment at={item.created_at} />
      </td>
    </tr>
  );
}

function Imports() {
  const query = api.useQuery("get", "/api/v1/imports");
  const items = query.data?.items ?? [];
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (items.length === 0) return null;
  return (
    <Panel title={label.imports}>
      <Sheet label={label.imports} bounded>
        <thead>
          <tr>
            <th scope="col">{label.name}</th>
            <th scope="col">{label.models}</th>
            <th scope="col" className={cell.number}>
              {label.sheets}
            </th>
            <th scope="col" className={cell.number}>
              {label.rows}
            </th>
            <th scope="col" className={cell.number}>
              {label.defects}
            </th>
            <th scope="col" className={cell.number}>
              {label.imported}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ImportLine key={item.id} item={item} />
          ))}
        </tbody>
      </Sheet>
    </Panel>
  );
}

function ImportLine({ item }: { item: ImportSummary }) {
  const navigate = useNavigate();
  const open = { to: "/analysis/imports/$id", params: { id: item.id } } as const;
  return (
    <tr className={cell.row} onClick={() => navigate(open)}>
      <th scope="row" className={cell.text}>
        <AnchorLink {...open} size="sm" fw={550} onClick={(event) => event.stopPropagation()}>
          {item.name}
        </AnchorLink>
      </th>
      <td>{item.models.join(", ")}</td>
      <td className={cell.number}>{formatCount(item.sheets)}</td>
      <td className={cell.number}>{formatCount(item.rows)}</td>
      <td className={cell.number}>{formatCount(item.defects)}</td>
      <td className={cell.number}>
        <Moment at={item.created_at} />
      </td>
    </tr>
  );
}
