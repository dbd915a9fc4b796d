import { List, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { type Column, countColumn, DataTable, digestColumn, momentColumn } from "@/components/table";
import { t } from "@/words";

/** Ids in a sentence; the difference as JSON has them all. */
const LISTED = 10;

interface Version {
  digest: string;
  created_at: string;
  questions: number;
  with_gold: number;
  sweeps: number;
}

function columnsOf(newest: string | undefined): Column<Version>[] {
  return [
    digestColumn("version", t("Version"), ({ digest }) => digest, {
      note: ({ digest }) => digest === newest && t("newest"),
    }),
    momentColumn("taken", t("Imported"), ({ created_at }) => created_at),
    countColumn("questions", t("Questions"), ({ questions }) => questions),
    countColumn("with_gold", t("With gold passages"), ({ with_gold }) => with_gold),
    countColumn("sweeps", t("Sweeps"), ({ sweeps }) => sweeps),
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
      <Changes name={name} items={items} shown={shown} />
    </Panel>
  );
}

/** What became of the questions since the version before the shown one; nothing is shown for the first version. */
function Changes({ name, items, shown }: { name: string; items: Version[]; shown: string }) {
  const place = items.findIndex(({ digest }) => digest === shown);
  const before = place < 0 ? undefined : items[place + 1]?.digest;
  const query = useQuery({
    ...datasetQueries.difference(name, before ?? "", shown),
    enabled: before !== undefined,
  });
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return null;
  const { added, removed, changed, unchanged, reordered, languages } = query.data;
  const lines = [
    added.length > 0 &&
      t("Added: {count, plural, one {# question} other {# questions}} ({ids})", {
        count: added.length,
        ids: someOf(added),
      }),
    removed.length > 0 &&
      t("Removed: {count, plural, one {# question} other {# questions}} ({ids})", {
        count: removed.length,
        ids: someOf(removed),
      }),
    changed.length > 0 &&
      t("Changed: {count, plural, one {# question} other {# questions}} ({ids})", {
        count: changed.length,
        ids: someOf(changed.map(({ id, fields }) => `${id}: ${fields.join(", ")}`)),
      }),
    t("Unchanged: {count, plural, one {# question} other {# questions}}", { count: unchanged }),
    reordered && t("The questions are in a different order."),
    languages &&
      t("The language changed from {before} to {after}.", {
        before: languages[0] ?? "",
        after: languages[1] ?? "",
      }),
  ].filter((line) => typeof line === "string");
  return (
    <section aria-label={t("Changes since the previous version")}>
      <Title order={3} size="sm">
        {t("Changes since the previous version")}
      </Title>
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </section>
  );
}

/** The first of some texts, and how many more there are. */
function someOf(texts: readonly string[]): string {
  const first = texts.slice(0, LISTED).join("; ");
  const more = texts.length - LISTED;
  return more > 0 ? t("{first}; {more, number} more", { first, more }) : first;
}
