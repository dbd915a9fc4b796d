import { Text } from "@mantine/core";
import { api } from "@/api/client";
import { MetricName } from "@/components/MetricName";
import { formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import type { Detail } from "./detail";

const label = words.evaluation;

/** The 24 columns of this answer, each a number or a reason. */
export function Scores({ detail }: { detail: Detail }) {
  const metrics = api.useQuery("get", "/api/v1/metrics", {
    params: { query: { profile: detail.profile } },
  });
  const infos = new Map(metrics.data?.items.map((info) => [info.name, info]));
  const scores = Object.entries(detail.scores ?? {});
  // The server gives the metrics in the order in which every table holds them.
  const order = [...infos.keys()];
  scores.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return (
    <Panel title={label.scores}>
      {scores.length === 0 ? (
        <Text c="var(--quiet)">
          {detail.reason ? <Said text={detail.reason} wordings={detail.wordings} /> : label.notScored}
        </Text>
      ) : (
        <Sheet label={label.scores}>
          <thead>
            <tr>
              <th scope="col">{words.run.metric}</th>
              <th scope="col" className={cell.number}>
                {label.value}
              </th>
            </tr>
          </thead>
          <tbody>
            {scores.map(([name, score]) => {
              const info = infos.get(name);
              return (
                <tr key={name}>
                  <th scope="row">
                    <MetricName name={name} profile={detail.profile} info={info} />
                  </th>
                  <td className={cell.number}>
                    <Num value={score.value} reason={score.reason} format={formatScore} />
                    {score.note && (
                      <Text size="xs" c="var(--warn-text)">
                        {words.numbers.note(score.note)}
                      </Text>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </Sheet>
      )}
    </Panel>
  );
}
