import { Text } from "@mantine/core";
import { api } from "@/api/client";
import type { Score, SheetQuestionDetail } from "@/api/types";
import { MetricName } from "@/components/MetricName";
import { formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { differs } from "./differs";

const label = words.analysis;
const SETTLED_MS = 600_000;

interface Props {
  id: string;
  sheet: string;
  number: number;
  scores: SheetQuestionDetail["scores"];
}

/** The 24 columns as the sheet has them, beside those made again where there is a reference. */
export function SheetScores({ id, sheet, number, scores }: Props) {
  const again = api.useQuery(
    "get",
    "/api/v1/imports/{import_id}/questions/{number}/recomputed",
    { params: { path: { import_id: id, number }, query: { sheet } } },
    { staleTime: SETTLED_MS },
  );
  const made = again.data && !again.data.reason ? again.data.scores : undefined;
  return (
    <Panel title={label.sheetScores}>
      {again.isPending && (
        <Text size="sm" c="var(--quiet)" role="status">
          {label.recomputing}
        </Text>
      )}
      {again.isError && <ProblemNotice error={again.error} onRetry={() => again.refetch()} />}
      {again.data?.reason && <Text size="sm">{label.recomputedReasons[again.data.reason]}</Text>}
      <Sheet label={label.sheetScores}>
        <thead>
          <tr>
            <th scope="col">{words.run.metric}</th>
            <th scope="col" className={cell.number}>
              <abbr title={label.publishedTitle}>{label.published}</abbr>
            </th>
            {made && (
              <th scope="col" className={cell.number}>
                <abbr title={label.recomputedTitle}>{label.recomputed}</abbr>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {scores.map((score) => (
            <Line
              key={score.metric}
              score={score}
              made={made?.[score.metric]}
              isCompared={made !== undefined}
            />
          ))}
        </tbody>
      </Sheet>
      {made && again.data?.encoder && (
        <Text size="xs" c="var(--quiet)">
          {label.encoderOf(again.data.encoder)}
        </Text>
      )}
    </Panel>
  );
}

interface LineProps {
  score: SheetQuestionDetail["scores"][number];
  made: Score | undefined;
  isCompared: boolean;
}

function Line({ score, made, isCompared }: LineProps) {
  const { metric, label: heading, value, reason, text } = score;
  const why =
    reason === "no_number" ? label.sheetReasons.no_number(text) : reason && label.sheetReasons[reason];
  return (
    <tr>
      <th scope="row">
        <MetricName name={metric} profile="published" />
        {heading !== metric && (
          <Text size="xs" c="var(--quiet)">
            {label.heldUnder(heading)}
          </Text>
        )}
      </th>
      <td className={cell.number}>
        <Num value={value} reason={why} format={formatScore} />
      </td>
      {isCompared && (
        <td className={cell.number}>
          <Num value={made?.value} reason={made?.reason} format={formatScore} />
          {differs(value, made?.value) && (
            <Text size="xs" c="var(--warn-text)">
              {label.differs}
            </Text>
          )}
        </td>
      )}
    </tr>
  );
}
