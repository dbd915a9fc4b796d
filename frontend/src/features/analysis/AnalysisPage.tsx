import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { importQueries } from "@/api/imports";
import { sweepQueries } from "@/api/sweeps";
import type { ImportSummary, SweepDetail } from "@/api/types";
import { ForRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { StateBadge } from "@/components/StateBadge";
import { type Column, countColumn, DataTable, momentColumn, plainColumn } from "@/components/table";
import { t } from "@/words";
import { STATES } from "@/words/states";
import { ImportSheets } from "./ImportSheets";

function created<Row extends { created_at: string }>(label: string): Column<Row> {
  return momentColumn("created", label, ({ created_at }) => created_at, { kind: "number" });
}

const SWEEPS: Column<SweepDetail>[] = [
  plainColumn("name", t("Name"), ({ name }) => name),
  plainColumn("state", t("State"), ({ state }) => STATES[state], {
    cell: ({ state }) => <StateBadge state={state} />,
  }),
  countColumn("runs", t("Runs"), ({ runs }) => runs.length),
  created(t("Created")),
];
const IMPORTS: Column<ImportSummary>[] = [
  plainColumn("name", t("Name"), ({ name }) => name),
  plainColumn("models", t("Models"), ({ models }) => models.join(", ")),
  countColumn("sheets", t("Sheets"), ({ sheets }) => sheets),
  countColumn("rows", t("Rows"), ({ rows }) => rows),
  countColumn("defects", t("Defects"), ({ defects }) => defects),
  created(t("Imported")),
];

/** What can be analysed: sweeps of this installation, and sheets of others. */
export function AnalysisPage(): ReactNode {
  return (
    <>
      <PageHead
        title={t("Analysis")}
        lead={t("Figures, tables and the report of a sweep or of imported result sheets.")}
      />
      <Stack gap="lg">
        <Sweeps />
        <Imports />
        <Panel title={t("Comparisons between analyses")}>
          <Text maw="48rem">
            {t("Two studies on different questions, or two timing runs, side by side.")}
          </Text>
          <Group gap="xs">
            <ButtonLink to="/analysis/domains" variant="default">
              {t("Compare two domains")}
            </ButtonLink>
            <ButtonLink to="/analysis/times" variant="default">
              {t("Compare times")}
            </ButtonLink>
          </Group>
        </Panel>
        <ForRole>
          <Panel title={t("New result sheets")}>
            <Text maw="48rem">
              {t(
                "The sheets are audited first: shifted, duplicate and missing data is shown before any result. An unreadable file is not saved.",
              )}
            </Text>
            <ImportSheets />
          </Panel>
        </ForRole>
      </Stack>
    </>
  );
}

function Sweeps() {
  const query = useQuery(sweepQueries.all());
  const items = (query.data ?? []).filter(({ runs }) => runs.some(({ counts }) => counts.scored > 0));
  return (
    <Panel title={t("Sweeps")}>
      <QueryState query={query} height={120} />
      {query.data && items.length === 0 && (
        <Stack align="flex-start" gap="sm">
          <Text>{t("A sweep can be analysed when its first answers are scored.")}</Text>
          <ButtonLink to="/new" variant="default">
            {t("Create sweep")}
          </ButtonLink>
        </Stack>
      )}
      {items.length > 0 && (
        <DataTable
          name="analysed-sweeps"
          label={t("Sweeps")}
          columns={SWEEPS}
          rows={items}
          keyOf={({ id }) => id}
          open={({ id }) => ({ to: "/analysis/sweeps/$id", params: { id } })}
          isShort
        />
      )}
    </Panel>
  );
}

function Imports() {
  const query = useQuery(importQueries.list());
  const items = query.data?.items ?? [];
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (items.length === 0) return null;
  return (
    <Panel title={t("Imported sheets")}>
      <DataTable
        name="imports"
        label={t("Imported sheets")}
        columns={IMPORTS}
        rows={items}
        keyOf={({ id }) => id}
        open={({ id }) => ({ to: "/analysis/imports/$id", params: { id } })}
        isShort
      />
    </Panel>
  );
}
