import { formatCount, formatDuration, formatNanoseconds, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import type { Detail } from "./detail";

const label = words.evaluation;

type Line = [name: string, value: number | null | undefined, format: (value: number) => string];

/** What took how long: measured here in seconds, and as the model server reports it. */
export function Timings({ detail }: { detail: Detail }) {
  const { timings, generation_s } = detail.answer ?? {};
  const count = timings?.eval_count;
  const duration = timings?.eval_duration_ns;
  const here: Line[] = [
    [label.timing.embedding, detail.embedding_s, formatDuration],
    [label.timing.retrieval, detail.retrieval_s, formatDuration],
    [label.timing.generation, detail.prompt ? generation_s : null, formatDuration],
  ];
  const server: Line[] = [
    [label.timing.total, timings?.total_duration_ns, formatNanoseconds],
    [label.timing.load, timings?.load_duration_ns, formatNanoseconds],
    [label.timing.prompt, timings?.prompt_eval_duration_ns, formatNanoseconds],
    [label.timing.promptTokens, timings?.prompt_eval_count, formatCount],
    [label.timing.answer, duration, formatNanoseconds],
    [label.timing.answerTokens, count, formatCount],
    [
      label.timing.speed,
      count && duration ? (count / duration) * 1e9 : null,
      (value) => formatScore(value, 1),
    ],
  ];
  // A model that reports nothing at all (the built-in reader) gets no lines of dashes.
  const lines = server.some(([, value]) => value != null) ? [...here, ...server] : here;
  return (
    <Panel title={label.timings}>
      <Sheet label={label.timings}>
        <tbody>
          {lines.map(([name, value, format]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={cell.number}>
                <Num
                  value={value}
                  reason={detail.prompt ? label.notReported : label.promptNone}
                  format={format}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </Panel>
  );
}
