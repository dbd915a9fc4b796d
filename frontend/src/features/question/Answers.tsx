import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { EvaluationDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import classes from "./question.module.css";

const label = words.evaluation;

/** What was asked, what should be said, and what was said. */
export function Answers({ detail }: { detail: EvaluationDetail }) {
  const { question, answer, evaluation } = detail;
  return (
    <Panel title={label.question}>
      <Text size="lg" className={classes.prose}>
        {question.text}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Said title={label.reference} text={question.reference} none={label.noReference} />
        <Said title={label.answer} text={answer?.text ?? ""} none={evaluation.reason ?? label.noAnswer} />
      </SimpleGrid>
      <Notes detail={detail} />
      {answer && answer.raw !== answer.text && (
        <details className={classes.more}>
          <summary>{label.raw}</summary>
          <pre className={classes.message}>{answer.raw}</pre>
        </details>
      )}
    </Panel>
  );
}

function Said({ title, text, none }: { title: string; text: string; none: string }) {
  return (
    <Stack gap={4}>
      <h3 className={classes.label}>{title}</h3>
      {text ? (
        <Text className={classes.prose}>{text}</Text>
      ) : (
        <Text className={classes.prose} c="var(--quiet)">
          {none}
        </Text>
      )}
    </Stack>
  );
}

function Notes({ detail: { answer, evaluation, prompt } }: { detail: EvaluationDetail }) {
  const notes = [
    answer && !prompt && label.notAsked,
    answer?.abstained && prompt && label.abstained,
    answer?.truncated === "prompt" && label.truncatedPrompt,
    answer?.truncated === "answer" && label.truncatedAnswer,
    evaluation.reused && label.reused,
  ].filter((note) => typeof note === "string");
  if (notes.length === 0) return null;
  return (
    <Note>
      {notes.map((note) => (
        <div key={note}>{note}</div>
      ))}
    </Note>
  );
}
