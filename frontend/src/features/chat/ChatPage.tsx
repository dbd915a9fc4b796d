import { Button, Grid, Group, List, Stack, Text, UnstyledButton } from "@mantine/core";
import { useSessionStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { askQuestion, type RetrievedQuestion } from "@/api/answers";
import { collectionQueries } from "@/api/materials";
import { Problem } from "@/api/problem";
import type { AnsweredQuestion, Sending, SingleQuestion } from "@/api/types";
import { AnswerInProgress } from "@/components/evaluation/AnswerInProgress";
import { Answers } from "@/components/evaluation/Answers";
import { detailOfAsked } from "@/components/evaluation/detail";
import { Passages } from "@/components/evaluation/Passages";
import { PromptPanel } from "@/components/evaluation/PromptPanel";
import { Scores } from "@/components/evaluation/Scores";
import { AnswerThumbs } from "@/components/evaluation/Thumbs";
import { Timings } from "@/components/evaluation/Timings";
import { useAnswer } from "@/components/evaluation/useAnswer";
import { useView } from "@/components/evaluation/useView";
import { NoCollections } from "@/components/NoCollections";
import { Note } from "@/components/Note";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { QueryState } from "@/components/QueryState";
import { Quiet } from "@/components/Quiet";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { fieldsOf } from "./form";
import { QuestionForm } from "./QuestionForm";

/** One question outside of every run. */
export function ChatPage(): ReactNode {
  const collections = useQuery(collectionQueries.list());
  const items = collections.data?.items;
  return (
    <>
      <PageHead
        title={t("Try a question")}
        lead={t(
          "Ask a question and see the retrieved passages, the prompt and the answer. The conversation stays in this tab until you save or clear it.",
        )}
      />
      {collections.isPending && <Waiting height={240} />}
      <QueryState query={collections} />
      {items?.length === 0 && (
        <NoCollections
          text={t("Answers use the passages of a collection. Add documents first, or load an example.")}
        />
      )}
      {items && items.length > 0 && <Chat collections={items.map(({ collection }) => collection.name)} />}
    </>
  );
}

function Chat({ collections }: { collections: string[] }) {
  const ask = useAsk();
  const [, putView] = useView();
  // The newest answer, until somebody goes back to an earlier one.
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = chosen ?? ask.asked.length - 1;
  const answered = ask.asked[shown];
  const fields = ask.error instanceof Problem ? fieldsOf(ask.error.fields) : {};
  const send = async (question: Sending<SingleQuestion>) => {
    // A line that was moved belongs to the answer shown before.
    putView(() => ({ cut: undefined }));
    if (await ask.ask(question)) setChosen(null);
  };
  const isUnderField = Object.keys(fields).length > 0;
  return (
    <Stack gap="lg">
      <QuestionForm collections={collections} fields={fields} isBusy={ask.unfinished !== null} onAsk={send} />
      {ask.unfinished && <AnswerInProgress unfinished={ask.unfinished} onStop={ask.stop} />}
      {ask.unfinished?.retrieved && <Retrieved found={ask.unfinished.retrieved} />}
      {ask.error != null && !isUnderField && <ProblemNotice error={ask.error} title={t("No answer")} />}
      {!ask.unfinished && answered && (
        <Answered key={`${shown} ${answered.asked.question}`} answered={answered} onAsk={send} />
      )}
      <Conversation
        asked={ask.asked}
        shown={shown}
        onShow={setChosen}
        onClear={() => {
          ask.clear();
          setChosen(null);
        }}
      />
    </Stack>
  );
}

/** What the model is reading, before it has answered. */
function Retrieved({ found }: { found: RetrievedQuestion }) {
  const detail = detailOfAsked(found);
  return (
    <>
      <Passages detail={detail} />
      <PromptPanel prompt={detail.prompt} />
    </>
  );
}

interface AnsweredProps {
  answered: AnsweredQuestion;
  onAsk: (question: Sending<SingleQuestion>) => void;
}

function Answered({ answered, onAsk }: AnsweredProps) {
  const detail = detailOfAsked(answered);
  const { size, asked } = answered;
  const isLong = size != null && size.tokens + size.num_predict > size.window;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="lg">
          <Quiet role="status">
            {t("Answer of {model}, passages from {collection}", {
              model: asked.model.name,
              collection: asked.collection,
            })}
          </Quiet>
          {isLong && (
            <Note tone="warn">
              {t(
                "The prompt has about {tokens, plural, one {# token} other {# tokens}}. Prompt and answer together may not fit the context window of {window, number}.",
                { tokens: size.tokens, window: size.window },
              )}
            </Note>
          )}
          <Answers detail={detail} />
          <Passages
            detail={detail}
            again={(retrieval) => (
              <Group>
                <Button size="xs" onClick={() => onAsk({ ...asked, retrieval })}>
                  {t("Ask with this setting")}
                </Button>
              </Group>
            )}
          />
          <PromptPanel prompt={detail.prompt} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="lg">
          {detail.scores && <Scores detail={detail} />}
          {/* A conversation that an earlier version kept in this tab has no keys. */}
          {answered.key && <AnswerThumbs answerKey={answered.key} />}
          <Timings detail={detail} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

interface ConversationProps {
  asked: AnsweredQuestion[];
  /** Place of the one that is shown in full. */
  shown: number;
  onShow: (place: number) => void;
  onClear: () => void;
}

/** What was asked in this tab, the newest last; it can be looked at again, saved and cleared. */
function Conversation({ asked, shown, onShow, onClear }: ConversationProps) {
  if (asked.length < 1) return null;
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(asked, null, 1)], { type: "application/json" }));
    link.download = "conversation.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Panel
      title={t("Conversation")}
      beside={
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={save}>
            {t("Save conversation")}
          </Button>
          <Button size="xs" variant="default" onClick={onClear}>
            {t("Clear conversation")}
          </Button>
        </Group>
      }
    >
      <List type="ordered" size="sm" spacing="xs">
        {asked.map(({ asked: { question, model }, answer }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same question may be asked twice, and none is moved
          <List.Item key={place}>
            <UnstyledButton onClick={() => onShow(place)} aria-current={place === shown ? "true" : undefined}>
              <Text className="written" size="sm" fw={place === shown ? 600 : 400}>
                {question}
              </Text>
            </UnstyledButton>
            <Quiet lineClamp={2}>
              {model.name}: {answer.text}
            </Quiet>
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}

/** Most answers that a tab keeps: each has all of its passages. */
const MOST_KEPT = 20;

/** Asks, one question at a time, and keeps the answers of this tab. */
function useAsk() {
  const [asked, setAsked] = useSessionStorage<AnsweredQuestion[]>({
    key: "passer.conversation",
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const { send, ...answer } = useAnswer();
  const ask = async (question: Sending<SingleQuestion>): Promise<boolean> => {
    const found = await send((watch) => askQuestion(question, watch));
    if (found) setAsked((before) => [...before, found].slice(-MOST_KEPT));
    return found !== null;
  };
  return { ...answer, asked, ask, clear: () => setAsked([]) };
}
