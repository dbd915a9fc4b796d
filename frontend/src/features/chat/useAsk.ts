import { useSessionStorage } from "@mantine/hooks";
import { askQuestion } from "@/api/answers";
import type { AnsweredQuestion, Sending, SingleQuestion } from "@/api/types";
import { useAnswer } from "@/components/evaluation/useAnswer";

/** Most answers that a tab keeps: each has all of its passages. */
const MOST_KEPT = 20;

/** Asks, one question at a time, and keeps the answers of this tab. */
export function useAsk() {
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
