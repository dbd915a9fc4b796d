import { api } from "@/api/client";
import { Digest } from "@/components/Digest";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";

const label = words.datasets;

interface Version {
  digest: string;
  created_at: string;
  questions: number;
  with_gold: number;
  sweeps: number;
}

function count(id: "questions" | "with_gold" | "sweeps", heading: string): Column<Version> {
  return {
    id,
    label: heading,
    isNumber: true,
    cell: (version) => formatCount(version[id]),
    text: (version) => String(version[id]),
    by: (version) => version[id],
  };
}

function columnsOf(name: string, shown: string, newest: string | undefined): Column<Version>[] {
  return [
    {
      id: "version",
      label: label.version,
      cell: ({ digest }) => (
        <>
          <AnchorLink
            to="/datasets/$name"
            params={{ name }}
            search={digest === newest ? {} : { digest }}
            size="sm"
            aria-current={digest === shown ? "true" : undefined}
          >
            <Digest value={digest} />
          </AnchorLink>{" "}
          {digest === newest && label.isNewest}
        </>
      ),
      text: ({ digest }) => digest,
    },
    {
      id: "taken",
      label: label.taken,
      cell: ({ created_at }) => <Moment at={created_at} />,
      text: ({ created_at }) => created_at,
      by: ({ created_at }) => created_at,
    },
    count("questions", label.questions),
    count("with_gold", label.withGold),
    count("sweeps", label.askedBy),
  ];
}

/** All versions of a dataset, newest first; nothing is shown while there is only one. */
export function Versions({ name, shown }: { name: string; shown: string }) {
  const query = api.useQuery("get", "/api/v1/datasets/{name}/versions", { params: { path: { name } } });
  const items = query.data?.items ?? [];
  const columns = columnsOf(name, shown, items[0]?.digest);
  const table = useTable("versions", columns, { key: "versions" });
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (items.length < 2) return null;
  return (
    <Panel title={label.versions}>
      <DataTable
        label={label.versions}
        columns={columns}
        rows={items}
        table={table}
        keyOf={({ digest }) => digest}
        isMarked={({ digest }) => digest === shown}
        isShort
      />
    </Panel>
  );
}
