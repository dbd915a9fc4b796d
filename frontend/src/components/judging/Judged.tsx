import { useQuery } from "@tanstack/react-query";
import { judgingQueries } from "@/api/judging";
import type { Calibration, JudgedAnswer, Mark } from "@/api/types";
import { ScoreTable } from "@/components/evaluation/ScoreTable";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { Judgement } from "./Judgement";

/** The values that judges gave to one answer, with the judgements behind them; nothing for an answer without any. */
export function Judged({ run, number }: { run: string; number: number }) {
  const { data } = useQuery(judgingQueries.answer(run, number));
  return data?.items.map((answer) => <Answer key={answer.assessment_id} answer={answer} />);
}

/** Chance-corrected agreement with people from which a single judgement is more than weak evidence. */
const TRUSTED_KAPPA = 0.6;

function Answer({ answer: { assessment_id, judge, rated, marks } }: { answer: JudgedAnswer }) {
  // Where the sweep still runs, or nobody has rated answers, there is no agreement, and the caution stays.
  const { data: calibration } = useQuery({ ...judgingQueries.agreement(assessment_id), retry: false });
  const first = marks.filter(({ repeat }) => repeat === 1);
  const keys = [...new Set(first.flatMap(({ judgement_keys }) => judgement_keys))];
  const isWeak = first.some(
    ({ column, value }) => value !== null && !(kappaOf(column, calibration) >= TRUSTED_KAPPA),
  );
  return (
    <Panel title={t("Judged by {judge}", { judge })}>
      <ScoreTable profile="judged" rows={first.map((mark) => rowOf(mark, marks, rated[mark.column] ?? 0))} />
      {isWeak && <Quiet>{t("One judgement is weak evidence. Rely on means over many questions.")}</Quiet>}
      {keys.map((key) => (
        <Judgement key={key} id={key} />
      ))}
    </Panel>
  );
}

function kappaOf(column: string, calibration: Calibration | undefined): number {
  const found = calibration?.columns.find((each) => each.column === column);
  return found?.agreement?.categories?.kappa ?? Number.NaN;
}

/** The first value of a column, with a note where the judge repeated itself differently or nobody has rated it. */
function rowOf({ column, value, reason, note }: Mark, marks: readonly Mark[], rated: number) {
  const values = new Set(marks.filter((mark) => mark.column === column).map((mark) => mark.value));
  const noise = values.size > 1 ? t("The value changes between repetitions.") : null;
  const calibration = rated > 0 ? null : t("Uncalibrated.");
  return {
    metric: column,
    value,
    reason,
    note: [note, noise, calibration].filter(Boolean).join(" ") || null,
  };
}
