import { Button, Group, SegmentedControl, Select, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import type { ListedFacts, QuestionFacts } from "@/api/types";
import { useMay } from "@/components/ForRole";
import { bindChoice, bindText } from "@/components/fields";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { Subsection } from "@/components/Subsection";
import { saveText } from "@/figures/save";
import { t } from "@/words";
import { type Choice, type Choices, fileOfFacts, keptFacts } from "./factsFile";

/** Metrics that list the key facts of questions. */
export const NUGGETS = "Nugget ";
/** The one that only lists them. */
export const VITAL_SHARE = "Nugget vital share";
const MOST = 30;

interface Props {
  id: string;
  /** Begin an assessment that uses these key facts; undefined where no answers are judged by them. */
  onUse?: (facts: QuestionFacts[]) => void;
}

/** The key facts of an assessment, question by question, to be kept, dropped, graded or added before answers are judged. */
export function KeyFacts({ id, onUse }: Props) {
  const { data, error, refetch } = useQuery(judgingQueries.keyFacts(id));
  if (error) return <ProblemNotice error={error} onRetry={() => refetch()} />;
  return data && data.questions.length > 0 ? <Editor listed={data} {...(onUse && { onUse })} /> : null;
}

function Editor({ listed, onUse }: { listed: ListedFacts } & Pick<Props, "onUse">) {
  // A person may choose for an hour before answers are judged: nothing is lost when the page is left.
  const [edits, setEdits, discard] = useLocalStorage<Choices>({
    key: `passer.facts.${listed.assessment_id}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const choices = { ...choicesOf(listed), ...edits };
  const may = useMay();
  const [place, setPlace] = useState(0);
  const [text, setText] = useState("");
  const { questions, unlisted, by_people } = listed;
  const question = questions[place]?.question ?? "";
  const own = choices[question] ?? {};
  const choose = (fact: string, choice: Choice) =>
    setEdits({ ...edits, [question]: { ...own, [fact]: choice } });
  const add = () => {
    choose(text.trim(), "vital");
    setText("");
  };
  const show = (next: number) => {
    setText("");
    setPlace(next);
  };
  return (
    <Subsection title={t("Key facts")}>
      <Quiet>
        {by_people
          ? t("People chose these key facts.")
          : t(
              "The judge listed these key facts from the reference answers. Keep, grade, drop or add some, then judge the answers by them.",
            )}{" "}
        {unlisted > 0 &&
          t("{count, plural, one {# question has} other {# questions have}} no key facts yet.", {
            count: unlisted,
          })}
      </Quiet>
      <Group gap="xs" align="end" wrap="nowrap">
        <Select
          label={t("Question {number, number} of {count, number}", {
            number: place + 1,
            count: questions.length,
          })}
          data={questions.map((each, number) => ({ value: String(number), label: each.question }))}
          {...bindChoice(String(place), (value) => show(Number(value)))}
          searchable
          style={{ flex: 1 }}
        />
        <Button variant="default" disabled={place === 0} onClick={() => show(place - 1)}>
          {t("Previous")}
        </Button>
        <Button variant="default" disabled={place + 1 === questions.length} onClick={() => show(place + 1)}>
          {t("Next")}
        </Button>
      </Group>
      {listed.right_answers[place] && (
        <Text size="sm" style={{ whiteSpace: "pre-line" }}>
          {t("Reference answer: {text}", { text: listed.right_answers[place] })}
        </Text>
      )}
      {Object.entries(own).map(([fact, choice]) => (
        <Group key={fact} gap="sm" justify="space-between" wrap="nowrap">
          <Text size="sm" {...(choice === "drop" ? { td: "line-through", c: "var(--quiet)" } : {})}>
            {fact}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t("Importance of: {fact}", { fact })}
            data={[
              { value: "vital", label: t("Vital") },
              { value: "okay", label: t("Good to have") },
              { value: "drop", label: t("Drop") },
            ]}
            value={choice}
            onChange={(value) => choose(fact, value as Choice)}
          />
        </Group>
      ))}
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          label={t("Another key fact")}
          maxLength={300}
          {...bindText(text, setText)}
          onKeyDown={({ key }) => key === "Enter" && text.trim() !== "" && add()}
          style={{ flex: 1 }}
        />
        <Button variant="default" disabled={text.trim() === "" || keptOf(own) >= MOST} onClick={add}>
          {t("Add fact")}
        </Button>
      </Group>
      <Group>
        {may && onUse && (
          <Button variant="default" onClick={() => onUse(keptFacts(choices))}>
            {t("Judge by these facts")}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() =>
            saveText(fileOfFacts(choices), `key-facts-${listed.assessment_id}.jsonl`, "application/x-ndjson")
          }
        >
          {t("Save key facts")}
        </Button>
        {Object.keys(edits).length > 0 && (
          <Button variant="default" onClick={discard}>
            {t("Discard changes")}
          </Button>
        )}
      </Group>
    </Subsection>
  );
}

function choicesOf({ questions }: ListedFacts): Choices {
  return Object.fromEntries(
    questions.map(({ question, facts }) => [
      question,
      Object.fromEntries(facts.map(({ text, importance }) => [text, importance])),
    ]),
  );
}

function keptOf(own: Record<string, Choice>): number {
  return Object.values(own).filter((choice) => choice !== "drop").length;
}
