import { useRef, useState } from "react";
import { client } from "@/api/client";
import type { AnsweredQuestion, Sending, SingleQuestion } from "@/api/types";

/** Asks, one question at a time; who does not want to wait stops waiting. */
export function useAsk() {
  const [answered, setAnswered] = useState<AnsweredQuestion | null>(null);
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
      if (data) setAnswered(data);
      return data !== undefined;
    } catch (problem) {
      if (!own.signal.aborted) setError(problem);
      return false;
    } finally {
      if (waiting.current === own) setPending(false);
    }
  };
  return { answered, error, isPending, send, stop: () => waiting.current?.abort() };
}
