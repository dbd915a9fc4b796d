import { offline } from "./client";
import { readProblem } from "./problem";
import { visibleJson } from "./visible";

/** Of a request whose answer comes at the end of a stream of events. */
export const STREAM = { headers: { accept: "text/event-stream" }, parseAs: "stream" } as const;

/** The answer at the end of a stream; what comes before it is reported, and a problem is thrown. */
export async function answerOf<T>(
  stream: unknown,
  onEvent: (name: string, data: unknown) => void,
): Promise<T> {
  for await (const { name, data } of events(stream as ReadableStream<Uint8Array>)) {
    if (name === "answer") return data as T;
    if (name === "problem") {
      const status = (data as { status: number }).status;
      throw readProblem(status, data, String(status));
    }
    onEvent(name, data);
  }
  // The stream ended before the answer did: the server has gone.
  throw offline();
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
