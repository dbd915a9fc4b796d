import { formatCount, formatDuration, formatNanoseconds, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import type { Detail } from "./detail";

type Line = [name: string, value: number | null | undefined, format: (value: number) => string];

/** What took how long: measured here in seconds, and as the model server reports it. */
export function Timings({ detail }: { detail: Detail }) {
  const { timings, generation_s } = detail.answer ?? {};
  const count = timings?.eval_count;
  const duration = timings?.eval_duration_ns;
  const here: Line[] = [
    [t("Question embedding"), detail.embedding_s, formatDuration],
    [t("Retrieval"), detail.retrieval_s, formatDuration],
    [t("Generation"), detail.prompt ? generation_s : null, formatDuration],
  ];
  const server: Line[] = [
    [t("Model: total"), timings?.total_duration_ns, formatNanoseconds],
    [t("Model: load"), timings?.load_duration_ns, formatNanoseconds],
    [t("Model: prompt evaluation"), timings?.prompt_eval_duration_ns, formatNanoseconds],
    [t("Model: prompt tokens"), timings?.prompt_eval_count, formatCount],
    [t("Model: generation"), duration, formatNanoseconds],
    [t("Model: generated tokens"), count, formatCount],
    [
      t("Model: tokens per second"),
      count && duration ? (count / duration) * 1e9 : null,
      (value) => formatScore(value, 1),
    ],
  ];
  // A model that reports nothing at all (the built-in reader) gets no lines of dashes.
  const lines = server.some(([, value]) => value != null) ? [...here, ...server] : here;
  return (
    <Panel title={t("Timings")}>
      <DataTable
        name="timings"
        label={t("Timings")}
        columns={columnsOf(detail.prompt !== null)}
        rows={lines}
        keyOf={([name]) => name}
        isShort
      />
    </Panel>
  );
}

function columnsOf(isAsked: boolean): Column<Line>[] {
  return [
    plainColumn("step", t("Step"), ([name]) => name, { sort: "none" }),
    plainColumn("value", t("Value"), ([, value]) => value, {
      kind: "number",
      sort: "none",
      cell: ([, value, format]) => (
        <Num
          value={value}
          reason={isAsked ? t("Not measured or not reported.") : t("No prompt was sent.")}
          format={format}
        />
      ),
    }),
  ];
}
