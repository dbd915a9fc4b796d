import { client } from "./client";
import { answerOf, STREAM } from "./stream";
import type { AnsweredQuestion, RunConfig, Sending, SingleQuestion } from "./types";

/** A question with its passages and prompt, before the model has answered. */
export type RetrievedQuestion = Omit<AnsweredQuestion, "answer" | "scores" | "is_stored" | "key">;

/** What is known of an answer while it is made. */
export interface UnfinishedAnswer {
  stage: "retrieving" | "reading" | "writing" | "scoring";
  retrieved: RetrievedQuestion | null;
  /** The reply so far, as the model writes it. */
  text: string;
}

export const NOTHING_YET: UnfinishedAnswer = { stage: "retrieving", retrieved: null, text: "" };

interface Watch {
  signal: AbortSignal;
  onNews: (unfinished: UnfinishedAnswer) => void;
}

/** Ask a question of a collection; what is written is reported until the answer is complete. */
export async function askQuestion(body: Sending<SingleQuestion>, watch: Watch): Promise<AnsweredQuestion> {
  const { signal } = watch;
  const { data } = await client.POST("/api/v1/answers", { body: body as SingleQuestion, signal, ...STREAM });
  return read(data, watch);
}

/** Ask a question of a run again with another cut; `number` counts from 0. */
export async function askAgain(
  run_id: string,
  number: number,
  retrieval: RunConfig["retrieval"],
  watch: Watch,
): Promise<AnsweredQuestion> {
  const { data } = await client.POST("/api/v1/runs/{run_id}/evaluations/{number}/answers", {
    params: { path: { run_id, number } },
    body: { retrieval },
    signal: watch.signal,
    ...STREAM,
  });
  return read(data, watch);
}

function read(stream: unknown, { onNews }: Watch): Promise<AnsweredQuestion> {
  let known = NOTHING_YET;
  return answerOf(stream, (name, data) => {
    known = after(known, name, data);
    onNews(known);
  });
}

function after(known: UnfinishedAnswer, name: string, data: unknown): UnfinishedAnswer {
  if (name === "stage") return { ...known, stage: data as UnfinishedAnswer["stage"] };
  if (name === "passages") return { ...known, retrieved: data as RetrievedQuestion };
  if (name !== "text") return known;
  const { text, is_new } = data as { text: string; is_new: boolean };
  return { ...known, text: is_new ? text : known.text + text };
}
