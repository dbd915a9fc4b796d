import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { runQueries } from "@/api/runs";
import { RowForm } from "@/components/Form";
import { ForRole } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { Moment } from "@/components/Moment";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { ServerText } from "@/components/ServerText";
import { type Column, DataTable, digestColumn, plainColumn, textColumn } from "@/components/table";
import { SignRun } from "@/wallet/SignRun";
import { t } from "@/words";

const STATES = { waiting: t("waiting"), posted: t("in a reversible block"), recorded: t("recorded") };

const route = getRouteApi("/audit");

/** What this installation's ledger holds of a run, and what waits. */
export function RunEntriesPanel() {
  const { run } = route.useSearch();
  return (
    <Panel title={t("Entries of a run")}>
      <RunChoice key={run} run={run} />
      {run && <Entries run={run} />}
    </Panel>
  );
}

function RunChoice({ run }: { run: string | undefined }) {
  const navigate = useNavigate({ from: "/audit" });
  const [id, setId] = useState(run ?? "");
  return (
    <RowForm
      onSubmit={() => navigate({ search: id.trim() ? { run: id.trim() } : {}, resetScroll: false })}
      send={t("Show")}
    >
      <TextInput label={t("Run ID")} {...bindText(id, setId)} />
    </RowForm>
  );
}

function Entries({ run }: { run: string }) {
  const { after = 0 } = route.useSearch();
  const query = useQuery(runQueries.entries(run, { after, limit: 100 }));
  const navigate = useNavigate({ from: "/audit" });
  if (!query.data) return <QueryState query={query} height={120} />;
  const { data } = query;
  const reason = data.records.findLast(({ superseded }) => !superseded)?.reason;
  const waiting = data.records.reduce((sum, record) => sum + record.waiting, 0);
  const { next } = data;
  const goTo = (place: number) => navigate({ search: { run, after: place }, resetScroll: false });
  return (
    <Stack gap="sm">
      {data.note && (
        <Note>
          <ServerText text={data.note} />
        </Note>
      )}
      {reason && <Note tone="warn">{t("Waiting: {reason}", { reason })}</Note>}
      <ForRole>
        <SignRun run={run} waiting={waiting} />
      </ForRole>
      {data.items.length === 0 ? (
        <Text c="var(--quiet)">{t("This run has no entries.")}</Text>
      ) : (
        <DataTable
          name="entries"
          label={t("Entries of a run")}
          columns={COLUMNS}
          rows={data.items}
          keyOf={({ number }) => String(number)}
          isShort
        />
      )}
      <Group gap="xs">
        {after > 0 && (
          <Button variant="default" size="xs" onClick={() => goTo(0)}>
            {t("First page")}
          </Button>
        )}
        {next != null && (
          <Button variant="default" size="xs" onClick={() => goTo(next)}>
            {t("Next page")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface Item {
  number: number;
  entry: { description: string; run_digest: string };
  state: keyof typeof STATES;
  recorded_at?: string | null;
  sequence?: number | null;
  block_number?: number | null;
}

function placeOf({ sequence, block_number }: Item): string {
  if (sequence != null) return t("Row {sequence, number}", { sequence });
  return block_number == null ? "–" : t("Block {number, number}", { number: block_number });
}

const COLUMNS: Column<Item>[] = [
  textColumn("entry", t("Entry"), ({ entry }) => entry.description),
  plainColumn("state", t("State"), ({ state }) => STATES[state]),
  plainColumn("place", t("Location"), placeOf),
  plainColumn("recorded", t("Recorded"), ({ recorded_at }) => recorded_at ?? "–", {
    cell: ({ recorded_at }) => recorded_at && <Moment at={recorded_at} />,
  }),
  digestColumn("digest", t("Content digest"), ({ entry }) => entry.run_digest),
];
