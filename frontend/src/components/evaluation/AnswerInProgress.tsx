import { Button, Group } from "@mantine/core";
import type { UnfinishedAnswer } from "@/api/answers";
import { completed, Markdown } from "@/components/Markdown";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import classes from "./evaluation.module.css";

const STAGES: Record<UnfinishedAnswer["stage"], string> = {
  retrieving: t("Retrieving passages"),
  reading: t("The model is reading the prompt. This can take a while."),
  writing: t("The model is writing the answer."),
  scoring: t("Scoring the answer"),
};

interface Props {
  unfinished: UnfinishedAnswer;
  onStop: () => void;
}

/** An answer as far as it is written, and the button that ends it. */
export function AnswerInProgress({ unfinished: { stage, text }, onStop }: Props) {
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Quiet role="status">{STAGES[stage]}</Quiet>
        <Button size="xs" variant="default" onClick={onStop}>
          {t("Stop answer")}
        </Button>
      </Group>
      {text !== "" && (
        // biome-ignore lint/a11y/useSemanticElements: an output would read every word aloud
        <div role="group" aria-label={t("Unfinished answer")} className={classes.prose}>
          <Markdown text={completed(text)} />
        </div>
      )}
    </div>
  );
}
