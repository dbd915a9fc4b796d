import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { Digest } from "@/components/Digest";
import { Moment } from "@/components/Moment";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { cell, Sheet } from "@/components/Sheet";
import { Waiting } from "@/components/Waiting";
import { SignRun } from "@/wallet/SignRun";
import { words } from "@/words";

const route = getRouteApi("/audit");
const label = words.audit;
/** How often entries that wait are looked at again. */
const POLL_MS = 2000;

/** What this installation's ledger holds of a run, and what waits. */
export function RunEntriesPanel() {
  const { run } = route.useSearch();
  return (
    <Panel title={label.entries}>
      <RunChoice key={run} run={run} />
      {run && <Entries run={run} />}
    </Panel>
  );
}

function RunChoice({ run }: { run: string | undefined }) {
  const navigate = useNavigate({ from: "/audit" });
  const [id, setId] = useState(run ?? "");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ search: id.trim() ? { run: id.trim() } : {}, resetScroll: false });
      }}
    >
      <Group align="end" gap="xs">
        <TextInput
          label={label.entriesRun}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {label.entriesShow}
        </Button>
      </Group>
    </form>
  );
}

function Entries({ run }: { run: string }) {
  const { after = 0 } = route.useSearch();
  const params = { path: { run_id: run }, query: { after, limit: 100 } };
  const { data, error, isPending, refetch } = api.useQuery(
    "get",
    "/api/v1/runs/{run_id}/entries",
    { params },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some((one) => one.state !== "recorded") ? POLL_MS : false,
    },
  );
  const navigate = useNavigate({ from: "/audit" });
  if (isPending) return <Waiting height={120} />;
  if (error) return <ProblemNotice error={error} onRetry={() => refetch()} />;
  const reason = data.records.findLast(({ superseded }) => !superseded)?.reason;
  const waiting = data.records.reduce((sum, record) => sum + record.waiting, 0);
  const { next } = data;
  const goTo = (place: number) => navigate({ search: { run, after: place }, resetScroll: false });
  return (
    <Stack gap="sm">
      {data.note && (
        <Note>
          <Said text={data.note} wordings={{}} />
        </Note>
      )}
      {reason && <Note tone="warn">{label.waitsBecause(reason)}</Note>}
      <SignRun run={run} waiting={waiting} />
      {data.items.length === 0 ? (
        <Text c="var(--quiet)">{label.entriesNone}</Text>
      ) : (
        <Table items={data.items} />
      )}
      <Group gap="xs">
        {after > 0 && (
          <Button variant="default" size="xs" onClick={() => goTo(0)}>
            {label.entriesFirst}
          </Button>
        )}
        {next != null && (
          <Button variant="default" size="xs" onClick={() => goTo(next)}>
            {label.entriesNext}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface Item {
  number: number;
  entry: { description: string; run_digest: string };
  state: keyof typeof label.states;
  recorded_at?: string | null;
  sequence?: number | null;
  block_number?: number | null;
}

function placeOf({ sequence, block_number }: Item): string {
  if (sequence != null) return label.row(formatCount(sequence));
  return block_number == null ? "–" : label.block(formatCount(block_number));
}

function Table({ items }: { items: Item[] }) {
  return (
    <Sheet label={label.entries} bounded>
      <thead>
        <tr>
          {[label.entry, label.entryState, label.entryWhere, label.entryRecorded, label.entryDigest].map(
            (text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.number}>
            <th scope="row" className={cell.text}>
              {item.entry.description}
            </th>
            <td>{label.states[item.state]}</td>
            <td>{placeOf(item)}</td>
            <td>{item.recorded_at ? <Moment at={item.recorded_at} /> : "–"}</td>
            <td>
              <Digest value={item.entry.run_digest} />
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}
