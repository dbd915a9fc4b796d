import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { askAgain } from "@/api/answers";
import type { AnsweredQuestion, RunConfig } from "@/api/types";
import { AnswerInProgress } from "@/components/evaluation/AnswerInProgress";
import { cutOf } from "@/components/evaluation/policy";
import { AnswerThumbs } from "@/components/evaluation/Thumbs";
import { useAnswer } from "@/components/evaluation/useAnswer";
import { Markdown } from "@/components/Markdown";
import { formatDuration, formatScore } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

interface Props {
  run: string;
  /** The question's place, from 0. */
  number: number;
  /** The run's policy with the moved cut. */
  policy: RunConfig["retrieval"];
}

/** Asks the run's model with the moved cut; the answer is shown here and belongs to no run. */
export function AskAgain({ run, number, policy }: Props) {
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
}

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
