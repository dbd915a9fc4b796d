import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import { Digest } from "@/components/Digest";
import { Moment } from "@/components/Moment";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { t } from "@/words";

interface Version {
  digest: string;
  created_at: string;
  questions: number;
  with_gold: number;
  sweeps: number;
}

function columnsOf(newest: string | undefined): Column<Version>[] {
  return [
    {
      id: "version",
      label: t("Version"),
      value: ({ digest }) => digest,
      cell: ({ digest }) => <Digest value={digest} />,
      note: ({ digest }) => digest === newest && t("newest"),
    },
    {
      id: "taken",
      label: t("Imported"),
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    { id: "questions", label: t("Questions"), value: ({ questions }) => questions, format: formatCount },
    {
      id: "with_gold",
      label: t("With gold passages"),
      value: ({ with_gold }) => with_gold,
      format: formatCount,
    },
    { id: "sweeps", label: t("Sweeps"), value: ({ sweeps }) => sweeps, format: formatCount },
  ];
}

/** All versions of a dataset, newest first; nothing is shown while there is only one. */
export function Versions({ name, shown }: { name: string; shown: string }) {
  const query = useQuery(datasetQueries.versions(name));
  const items = query.data?.items ?? [];
  const newest = items[0]?.digest;
  const columns = columnsOf(newest);
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (items.length < 2) return null;
  return (
    <Panel title={t("Versions")}>
      <DataTable
        name="versions"
        at="versions"
        label={t("Versions")}
        columns={columns}
        rows={items}
        keyOf={({ digest }) => digest}
        open={({ digest }) => ({
          to: "/datasets/$name",
          params: { name },
          search: digest === newest ? {} : { digest },
        })}
        isMarked={({ digest }) => digest === shown}
        isShort
      />
    </Panel>
  );
}
