import { client, offline } from "./client";
import { readProblem } from "./problem";
import type { AnsweredQuestion, RunConfig, Sending, SingleQuestion } from "./types";
import { visibleJson } from "./visible";

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

const STREAM = { headers: { accept: "text/event-stream" }, parseAs: "stream" } as const;

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

async function read(stream: unknown, { onNews }: Watch): Promise<AnsweredQuestion> {
  let known = NOTHING_YET;
  for await (const { name, data } of events(stream as ReadableStream<Uint8Array>)) {
    if (name === "answer") return data as AnsweredQuestion;
    if (name === "problem") {
      const status = (data as { status: number }).status;
      throw readProblem(status, data, String(status));
    }
    known = after(known, name, data);
    onNews(known);
  }
  // The stream ended before the answer did: the server has gone.
  throw offline();
}

function after(known: UnfinishedAnswer, name: string, data: unknown): UnfinishedAnswer {
  if (name === "stage") return { ...known, stage: data as UnfinishedAnswer["stage"] };
  if (name === "passages") return { ...known, retrieved: data as RetrievedQuestion };
  if (name !== "text") return known;
  const { text, is_new } = data as { text: string; is_new: boolean };
  return { ...known, text: is_new ? text : known.text + text };
}

/** Named server-sent events, as they come; comments are left out. */
async function* events(stream: ReadableStream<Uint8Array>): AsyncGenerator<{ name: string; data: unknown }> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += decoder.decode(value, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      if (name && data) yield { name, data: JSON.parse(visibleJson(data)) };
    }
  }
}
