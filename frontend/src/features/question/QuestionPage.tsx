import { useQuery } from "@tanstack/react-query";
import { getRouteApi, type LinkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { runQueries } from "@/api/runs";
import { type Detail, detailOfRun } from "@/components/evaluation/detail";
import { Passages } from "@/components/evaluation/Passages";
import { PromptPanel } from "@/components/evaluation/PromptPanel";
import { QuestionView } from "@/components/evaluation/QuestionView";
import { Scores } from "@/components/evaluation/Scores";
import { Thumbs } from "@/components/evaluation/Thumbs";
import { Timings } from "@/components/evaluation/Timings";
import { GroundedText } from "@/components/grounding/GroundedText";
import { Judged } from "@/components/judging/Judged";
import { PageState } from "@/components/NoPage";
import { StateBadge } from "@/components/StateBadge";
import { t } from "@/words";
import { Across } from "./Across";
import { AskAgain } from "./AskAgain";
import { Strip } from "./Strip";

const route = getRouteApi("/runs/$id/questions/$number");
const NAMES = {
  previous: t("Previous question"),
  next: t("Next question"),
  keys: t("Keys: ← or k previous question, → or j next question, u run"),
};

const keptOf = ({ kept: [first = 0, last = 0] }: Detail) => last - first;

/** One question under one configuration, whole. In the address questions count from 1, as on screen. */
export function QuestionPage(): ReactNode {
  const { id, number: text } = route.useParams();
  const number = Number(text);
  const query = useQuery(runQueries.evaluation(id, number - 1));
  const answer = useQuery({
    ...runQueries.grounded(id, number - 1),
    enabled: query.data?.answer != null && query.data.passages.length > 0,
  });
  if (!query.data) return <PageState query={query} height={320} />;
  const { run, evaluation } = query.data;
  const detail = detailOfRun(query.data);
  const total = run.counts.questions;
  const across = { sweep: run.sweep_id, run: run.id, number: number - 1, profile: detail.profile };
  const at = (place: number): LinkOptions => ({
    to: "/runs/$id/questions/$number",
    params: { id, number: String(place) },
    search: true,
  });
  return (
    <QuestionView
      title={t("Question {number, number} of {total, number}", { number, total })}
      listName={run.name}
      list={{ to: "/runs/$id", params: { id } }}
      previous={number > 1 ? at(number - 1) : null}
      next={number < total ? at(number + 1) : null}
      names={NAMES}
      beside={<StateBadge state={evaluation.state} />}
      strip={<Strip {...across} />}
      detail={detail}
      measured={
        <>
          <Scores detail={detail} />
          <Judged run={run.id} number={number - 1} />
          {query.data.answer != null && <Thumbs run={run.id} number={number - 1} />}
          <Timings detail={detail} />
        </>
      }
    >
      <Across {...across} />
      {answer.data && <GroundedText answer={answer.data} passages={keptOf(detail)} />}
      <Passages
        detail={detail}
        again={(policy) => (
          <AskAgain key={`${run.id} ${number}`} run={run.id} number={number - 1} policy={policy} />
        )}
      />
      <PromptPanel prompt={detail.prompt} />
    </QuestionView>
  );
}
