import { useSessionStorage } from "@mantine/hooks";
import { useRef, useState } from "react";
import { client } from "@/api/client";
import type { AnsweredQuestion, Sending, SingleQuestion } from "@/api/types";

/** Most answers that a tab keeps: each has all of its passages. */
const MOST_KEPT = 20;

/** Asks, one question at a time, and keeps the answers of this tab; who does not want to wait stops waiting. */
export function useAsk() {
  const [asked, setAsked] = useSessionStorage<AnsweredQuestion[]>({
    key: "passer.conversation",
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [error, setError] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  const waiting = useRef<AbortController | null>(null);
  const send = async (question: Sending<SingleQuestion>): Promise<boolean> => {
    waiting.current?.abort();
    const own = new AbortController();
    waiting.current = own;
    setPending(true);
    setError(null);
    try {
      const { data } = await client.POST("/api/v1/answers", {
        body: question as SingleQuestion,
        signal: own.signal,
      });
      if (data) setAsked((before) => [...before, data as AnsweredQuestion].slice(-MOST_KEPT));
      return data !== undefined;
    } catch (problem) {
      if (!own.signal.aborted) setError(problem);
      return false;
    } finally {
      if (waiting.current === own) setPending(false);
    }
  };
  return { asked, clear: () => setAsked([]), error, isPending, send, stop: () => waiting.current?.abort() };
}
