import { useEffect, useRef, useState } from "react";
import { NOTHING_YET, type UnfinishedAnswer } from "@/api/answers";
import type { AnsweredQuestion } from "@/api/types";

type Ask = (watch: {
  signal: AbortSignal;
  onNews: (unfinished: UnfinishedAnswer) => void;
}) => Promise<AnsweredQuestion>;

/** One answer at a time: as it is written, until it is complete, stopped or refused. Leaving the page stops it. */
export function useAnswer() {
  const [unfinished, setUnfinished] = useState<UnfinishedAnswer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const waiting = useRef<AbortController | null>(null);
  useEffect(() => () => waiting.current?.abort(), []);
  const send = async (ask: Ask): Promise<AnsweredQuestion | null> => {
    waiting.current?.abort();
    const own = new AbortController();
    waiting.current = own;
    setUnfinished(NOTHING_YET);
    setError(null);
    try {
      const onNews = (news: UnfinishedAnswer) => !own.signal.aborted && setUnfinished(news);
      return await ask({ signal: own.signal, onNews });
    } catch (problem) {
      if (!own.signal.aborted) setError(problem);
      return null;
    } finally {
      if (waiting.current === own) setUnfinished(null);
    }
  };
  return { unfinished, error, send, stop: () => waiting.current?.abort() };
}
