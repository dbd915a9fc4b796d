import { Checkbox, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import type { Detail } from "./detail";
import { differences, type Piece } from "./differences";
import classes from "./evaluation.module.css";
import { useView } from "./useView";

const label = words.evaluation;

type Answer = NonNullable<Detail["answer"]>;

/** What must be known of a question: of one from elsewhere there is no prompt, and nothing is said of how it went. */
interface Told extends Pick<Detail, "reason"> {
  question: Pick<Detail["question"], "text" | "reference">;
  answer: (Pick<Answer, "text" | "raw"> & Partial<Answer>) | null;
  prompt?: Detail["prompt"];
  isReused?: boolean;
}

/** What was asked, what should be said, and what was said. */
export function Answers({ detail }: { detail: Told }) {
  const { question, answer, reason } = detail;
  const [{ marks }, put] = useView();
  const said = answer?.text ?? "";
  const canMark = question.reference !== "" && said !== "";
  const isMarked = canMark && marks !== "off";
  const found = useMemo(
    () => (isMarked ? differences(question.reference, said) : null),
    [isMarked, question.reference, said],
  );
  const toggle = (on: boolean) => put(() => ({ marks: on ? undefined : "off" }));
  return (
    <Panel
      title={label.question}
      beside={
        canMark && (
          <Checkbox
            size="xs"
            label={label.mark}
            checked={isMarked}
            onChange={(event) => toggle(event.currentTarget.checked)}
          />
        )
      }
    >
      <Text size="lg" className={classes.prose}>
        {question.text}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Said title={label.reference} none={label.noReference}>
          {found ? <Marked pieces={found.reference} by={classes.referenceOnly} /> : question.reference}
        </Said>
        <Said title={label.answer} none={reason ?? label.noAnswer}>
          {found ? <Marked pieces={found.answer} by={classes.answerOnly} /> : said}
        </Said>
      </SimpleGrid>
      {isMarked && (
        <Text size="sm" c="var(--quiet)">
          {found ? label.marked(formatCount(found.shared), formatCount(found.words)) : label.markedTooLong}
        </Text>
      )}
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

function Said({ title, none, children }: { title: string; none: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <h3 className={classes.label}>{title}</h3>
      {children ? (
        <Text className={classes.prose}>{children}</Text>
      ) : (
        <Text className={classes.prose} c="var(--quiet)">
          {none}
        </Text>
      )}
    </Stack>
  );
}

function Marked({ pieces, by }: { pieces: Piece[]; by: string | undefined }) {
  return pieces.map(({ start, text, isShared }) =>
    isShared ? (
      <span key={start}>{text}</span>
    ) : (
      <mark key={start} className={by}>
        {text}
      </mark>
    ),
  );
}

function Notes({ detail: { answer, isReused, prompt } }: { detail: Told }) {
  const notes = [
    answer && prompt === null && label.notAsked,
    answer?.abstained && prompt && label.abstained,
    answer?.truncated === "prompt" && label.truncatedPrompt,
    answer?.truncated === "answer" && label.truncatedAnswer,
    isReused && label.reused,
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
