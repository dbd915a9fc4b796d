import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { comparisonQueries } from "@/api/runs";
import { systemQueries } from "@/api/system";
import type { OriginMatrix } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { formatInterval } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import {
  type Column,
  DataTable,
  differenceColumn,
  pColumn,
  plainColumn,
  scoreColumn,
} from "@/components/table";
import { t } from "@/words";

const PEOPLE = "people";
const FIRST = "F1 Score";
type Cell = OriginMatrix["cells"][number];
type Effect = OriginMatrix["effects"][number];

/** Who wrote the questions by who answered them; nothing where people wrote them all. */
export function OriginsPanel({ runs }: { runs: string[] }) {
  const [metric, setMetric] = useState(FIRST);
  const query = useQuery(comparisonQueries.origins({ run: runs, metric }));
  const plain = useQuery(systemQueries.metrics("standard"));
  const judged = useQuery(systemQueries.metrics("judged"));
  const origins = query.data?.origins ?? [];
  if (metric === FIRST && origins.every((each) => each === PEOPLE)) return null;
  const names = (found: typeof plain) => found.data?.items.map(({ name }) => name) ?? [];
  return (
    <Panel title={t("Question writers and answers")}>
      <Select
        label={t("Metric")}
        data={[
          { group: t("Computed from texts"), items: names(plain) },
          { group: t("Judged by a model"), items: names(judged) },
        ]}
        {...bindChoice(metric, setMetric)}
        searchable
        maw={320}
      />
      <QueryState query={query} />
      {query.data && <Matrix matrix={query.data} />}
    </Panel>
  );
}

function Matrix({ matrix: { cells, effects, notes } }: { matrix: OriginMatrix }) {
  return (
    <>
      <DataTable
        name="origins"
        label={t("Means by writer of the question and by model")}
        columns={CELLS}
        rows={cells}
        keyOf={({ origin, model }) => `${origin} ${model}`}
        isMarked={({ is_own }) => is_own}
        isShort
      />
      {effects.length > 0 && (
        <DataTable
          name="origin-effects"
          label={t("Own questions compared with those of others")}
          columns={EFFECTS}
          rows={effects}
          keyOf={({ model }) => model}
          isShort
        />
      )}
      {notes.map((line) => (
        <Quiet key={String(line)}>
          <ServerText text={line} />
        </Quiet>
      ))}
    </>
  );
}

const spanOf = ({ low, high }: Cell | Effect) =>
  formatInterval(low === null || high === null ? null : { low, high }) ?? "";

const CELLS: Column<Cell>[] = [
  plainColumn("origin", t("Question writer"), ({ origin }) => (origin === PEOPLE ? t("People") : origin), {
    note: ({ is_own }) => is_own && t("own questions"),
  }),
  plainColumn("model", t("Answering model"), ({ model }) => model),
  plainColumn("n", t("Questions"), ({ n }) => n),
  scoreColumn("mean", t("Mean"), ({ mean }) => mean),
  plainColumn("interval", t("95 % interval"), spanOf),
  differenceColumn("interaction", t("Interaction"), (row) => row.interaction),
];

const EFFECTS: Column<Effect>[] = [
  plainColumn("model", t("Model"), ({ model }) => model),
  differenceColumn("difference", t("Own − others"), (row) => row.difference),
  plainColumn("interval", t("95 % interval"), spanOf),
  pColumn("p", "p", ({ p }) => p),
  pColumn("adjusted", t("Adjusted p"), ({ p_adjusted }) => p_adjusted),
];
