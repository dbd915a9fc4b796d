import { NativeSelect, NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { runQueries } from "@/api/runs";
import { systemQueries } from "@/api/system";
import type { LocatedQuestion, Run, RunFailures } from "@/api/types";
import { Facts } from "@/components/Facts";
import { bindText } from "@/components/fields";
import { DECISIONS, shareOf } from "@/components/located/decisions";
import { LabelBars } from "@/components/located/Located";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import {
  type Column,
  countColumn,
  DataTable,
  scoreColumn,
  shareColumn,
  textColumn,
} from "@/components/table";
import { useAddress } from "@/components/useAddress";
import { useArrival } from "@/components/useArrival";
import { t } from "@/words";
import { LABELS, type Located } from "@/words/located";

const route = getRouteApi("/runs/$id");

/** At which step each question of a run was lost; a bar leads to its questions. */
export function LocatedFailures({ run }: { run: Run }) {
  const search = route.useSearch();
  // Read here and not by the route, whose code is loaded first: the labels come with their texts.
  const located = LABELS.find((label) => label === search.located);
  const put = useAddress();
  const [column, setColumn] = useState("");
  const [below, setBelow] = useState<number | undefined>();
  const query = useQuery(
    runQueries.failures(run.id, { ...(column ? { column } : {}), ...(below === undefined ? {} : { below }) }),
  );
  useArrival(query.data !== undefined, "failures");
  const found = query.data?.runs[0];
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!found || found.n === 0) return null;
  return (
    <div id="failures">
      <Panel
        title={t("Failures by stage")}
        beside={<Limit run={run} column={column} setColumn={setColumn} below={below} setBelow={setBelow} />}
      >
        <LabelBars
          counts={found.counts}
          n={found.n}
          chosen={located}
          choose={(label) => put({ located: label })}
        />
        <Quiet>
          {query.data?.low?.line} {found.needed?.line}
        </Quiet>
        {located && (
          <Questions
            run={run}
            column={query.data?.low?.column ?? ""}
            questions={found.questions}
            located={located}
          />
        )}
        <Decisions found={found} />
      </Panel>
    </div>
  );
}

/** Which scores are low. */
function Limit({
  run,
  column,
  setColumn,
  below,
  setBelow,
}: {
  run: Run;
  column: string;
  setColumn: (name: string) => void;
  below: number | undefined;
  setBelow: (value: number | undefined) => void;
}) {
  const metrics = useQuery(systemQueries.metrics(run.config.profile));
  const names = metrics.data?.items.filter((item) => item.higher_is_better).map(({ name }) => name) ?? [];
  return (
    <div style={{ display: "flex", gap: "0.5rem", flexWrap: "wrap" }}>
      <NativeSelect
        label={t("Metric for low scores")}
        size="xs"
        data={[{ value: "", label: t("Automatic") }, ...names]}
        {...bindText(column, setColumn)}
      />
      <NumberInput
        label={t("Below")}
        size="xs"
        w={130}
        placeholder={t("Automatic")}
        step={0.05}
        value={below ?? ""}
        onChange={(value) => setBelow(typeof value === "number" ? value : undefined)}
      />
    </div>
  );
}

function Questions({
  run,
  column,
  questions,
  located,
}: {
  run: Run;
  column: string;
  questions: LocatedQuestion[];
  located: Located;
}) {
  return (
    <DataTable
      name="located"
      label={t("Questions")}
      columns={columns(column)}
      rows={questions.filter(({ label }) => label === located)}
      keyOf={({ number }) => String(number)}
      open={({ number }) => ({
        to: "/runs/$id/questions/$number",
        params: { id: run.id, number: String(number + 1) },
      })}
    />
  );
}

function columns(column: string): Column<LocatedQuestion>[] {
  return [
    textColumn("question", t("Question"), ({ question }) => question),
    countColumn("number", t("No."), ({ number }) => number + 1),
    countColumn("rank", t("Rank of the gold passage"), ({ rank }) => rank, {
      reason: ({ depth }) =>
        t("Not among the first {n, plural, one {# passage} other {# passages}}", { n: depth }),
    }),
    scoreColumn("similarity", t("Similarity of the gold passage"), ({ similarity }) => similarity),
    shareColumn("used", t("Keywords used"), ({ used }) => used, {
      title: t("Share of the keywords of reference and gold passages that the answer has. Low scores only."),
    }),
    scoreColumn("score", column, ({ score }) => score),
  ];
}

/** Whether the model answered or abstained, and whether the passages contained the answer. */
function Decisions({ found: { decisions, decided_by } }: { found: RunFailures }) {
  if (!decisions) return null;
  return (
    <>
      <Facts facts={DECISIONS.map(([name, label]) => [label, shareOf(decisions[name])])} />
      <Quiet>{decided_by?.line}</Quiet>
    </>
  );
}
