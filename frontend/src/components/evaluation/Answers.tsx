import { Checkbox, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { Caption } from "@/components/Caption";
import { bindTick } from "@/components/fields";
import { isMarkdown, Markdown } from "@/components/Markdown";
import { More } from "@/components/More";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import type { Detail } from "./detail";
import { differences, type Piece } from "./differences";
import classes from "./evaluation.module.css";
import { useView } from "./useView";

type Answer = NonNullable<Detail["answer"]>;

/** Required data of a question; an imported one has neither a prompt nor a state. */
interface Question extends Pick<Detail, "reason" | "best_references"> {
  question: Pick<Detail["question"], "text" | "reference" | "other_references">;
  answer: (Pick<Answer, "text" | "raw"> & Partial<Answer>) | null;
  prompt?: Detail["prompt"];
  isReused?: boolean;
}

/** The question, the reference answer, and the answer. */
export function Answers({ detail }: { detail: Question }) {
  const { question, answer, reason } = detail;
  const [{ marks }, put] = useView();
  const said = answer?.text ?? "";
  const canMark = question.reference !== "" && said !== "";
  // Marks and rendered Markdown exclude each other; a list is read more easily than its asterisks.
  const isFormatted = isMarkdown(said);
  const isMarked = canMark && (isFormatted ? marks === "on" : marks !== "off");
  const found = useMemo(
    () => (isMarked ? differences(question.reference, said) : null),
    [isMarked, question.reference, said],
  );
  const toggle = (on: boolean) => put(() => ({ marks: on === !isFormatted ? undefined : on ? "on" : "off" }));
  return (
    <Panel
      title={t("Question")}
      beside={
        canMark && <Checkbox size="xs" label={t("Highlight matches")} {...bindTick(isMarked, toggle)} />
      }
    >
      <Text size="lg" className={classes.prose}>
        {question.text}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <ServerText title={t("Reference answer")} none={t("There is no reference answer.")}>
          {found ? <Marked pieces={found.reference} /> : question.reference}
        </ServerText>
        <ServerText title={t("Answer")} none={reason ?? t("There is no answer yet.")}>
          {found ? <Marked pieces={found.answer} /> : said && <Markdown text={said} />}
        </ServerText>
      </SimpleGrid>
      {isMarked && (
        <Quiet>
          {found
            ? t(
                "{some, number} of {all, plural, one {# word} other {# words}} of the reference answer appear in the answer in the same order. They are highlighted.",
                { some: found.shared, all: found.words },
              )
            : t("These texts are too long for a word-by-word comparison.")}
        </Quiet>
      )}
      <RightAnswers detail={detail} />
      <Notes detail={detail} />
      {answer && answer.raw !== answer.text && (
        <More title={t("Raw reply")}>
          <pre className={classes.message}>{answer.raw}</pre>
        </More>
      )}
    </Panel>
  );
}

function ServerText({ title, none, children }: { title: string; none: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Caption>{title}</Caption>
      {children ? (
        <Text className={classes.prose} component="div">
          {children}
        </Text>
      ) : (
        <Text className={classes.prose} c="var(--quiet)">
          {none}
        </Text>
      )}
    </Stack>
  );
}

/** All right answers of a question that has several, each with the metrics whose values it gave. */
function RightAnswers({ detail: { question, best_references: best } }: { detail: Question }) {
  const { reference, other_references: others } = question;
  if (!others) return null;
  const metrics = (place: number) => Object.keys(best ?? {}).filter((column) => best?.[column] === place);
  return (
    <More title={t("All {n, number} right answers", { n: others.length + 1 })}>
      <Quiet>{t("Each metric compares the answer with every right answer and keeps its best value.")}</Quiet>
      <ul>
        {[reference, ...others].map((text, place) => (
          <li key={text}>
            <span className={classes.prose}>{text}</span>
            {metrics(place).length > 0 && (
              <Quiet>{t("Best value: {metrics}", { metrics: metrics(place).join(", ") })}</Quiet>
            )}
          </li>
        ))}
      </ul>
    </More>
  );
}

function Marked({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ start, text, isShared }) =>
    isShared && /\p{L}|\p{N}/u.test(text) ? (
      <mark key={start} className={classes.shared}>
        {text}
      </mark>
    ) : (
      <span key={start}>{text}</span>
    ),
  );
}

function Notes({ detail: { answer, isReused, prompt } }: { detail: Question }) {
  const notes = [
    answer &&
      prompt === null &&
      t("No passage was kept, so the model was not called. This is the fixed answer."),
    answer?.abstained && prompt && t("The model answered that the passages do not contain the answer."),
    answer?.truncated === "prompt" && t("The prompt did not fit the context window and was truncated."),
    answer?.truncated === "answer" &&
      t("The answer reached the length limit (num_predict) and was truncated."),
    isReused && t("This answer was generated once. All configurations with the same prompt share it."),
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
