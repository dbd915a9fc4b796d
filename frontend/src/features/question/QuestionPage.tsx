import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, type LinkOptions } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { askAgain } from "@/api/answers";
import { runQueries } from "@/api/runs";
import type { AnsweredQuestion, RunConfig } from "@/api/types";
import { AnswerInProgress } from "@/components/evaluation/AnswerInProgress";
import { type Detail, detailOfRun } from "@/components/evaluation/detail";
import { Passages } from "@/components/evaluation/Passages";
import { PromptPanel } from "@/components/evaluation/PromptPanel";
import { cutOf } from "@/components/evaluation/policy";
import { QuestionView } from "@/components/evaluation/QuestionView";
import { Scores } from "@/components/evaluation/Scores";
import { AnswerThumbs, Thumbs } from "@/components/evaluation/Thumbs";
import { Timings } from "@/components/evaluation/Timings";
import { useAnswer } from "@/components/evaluation/useAnswer";
import { forRole } from "@/components/ForRole";
import { GroundedText } from "@/components/grounding/GroundedText";
import { Judged } from "@/components/judging/Judged";
import { Markdown } from "@/components/Markdown";
import { PageState } from "@/components/NoPage";
import { formatDuration, formatScore } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { StateBadge } from "@/components/StateBadge";
import { t } from "@/words";
import { Across } from "./Across";
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

interface AskAgainProps {
  run: string;
  /** The question's place, from 0. */
  number: number;
  /** The run's policy with the moved cut. */
  policy: RunConfig["retrieval"];
}

/** Asks the run's model with the moved cut; the answer is shown here and belongs to no run. */
const AskAgain = forRole("researcher", function AskAgain({ run, number, policy }: AskAgainProps) {
  const { unfinished, error, send, stop } = useAnswer();
  const [found, setFound] = useState<AnsweredQuestion | null>(null);
  const start = async () => {
    const answered = await send((watch) => askAgain(run, number, policy, watch));
    if (answered) setFound(answered);
  };
  return (
    <Stack gap="xs">
      <Group>
        <Button size="xs" onClick={start} disabled={unfinished !== null}>
          {t("Ask with this setting")}
        </Button>
      </Group>
      {unfinished && <AnswerInProgress unfinished={unfinished} onStop={stop} />}
      <ProblemNotice error={error} title={t("No answer")} />
      {found && <OneOff found={found} />}
    </Stack>
  );
});

/** A metric that needs no encoder; its name is the same in both languages. */
const SHOWN_METRIC = "F1 Score";

function OneOff({ found: { asked, answer, scores, size, is_stored, key } }: { found: AnsweredQuestion }) {
  const f1 = scores?.[SHOWN_METRIC]?.value;
  const tokens = answer.timings.prompt_eval_count ?? size?.tokens;
  const facts = [
    tokens != null && t("{count, plural, one {# token} other {# tokens}}", { count: tokens }),
    is_stored
      ? t("stored answer of the same prompt, no model was called")
      : answer.generation_s > 0 && formatDuration(answer.generation_s),
    f1 != null && `${SHOWN_METRIC} ${formatScore(f1, 2)}`,
  ].filter((each) => each !== false);
  return (
    <section aria-label={t("One-off answer")}>
      <Text size="sm" fw={550}>
        {t("One-off answer: {cut}", { cut: cutOf(asked.retrieval) })}
      </Text>
      <Markdown text={answer.text === "" ? t("Empty answer") : answer.text} />
      <Quiet>{facts.join(" · ")}</Quiet>
      <Quiet>{t("This answer is not saved and does not change the scores of the run.")}</Quiet>
      <AnswerThumbs answerKey={key} />
    </section>
  );
}
