import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { retrievalQueries, type Step } from "./retrieval";
import type { RetrievalRequest } from "./types";

test("a comparison reports the questions that are ranked, and is the last of what comes", async () => {
  const events = [
    'event: progress\ndata: {"message":"RAG-Fusion x4 (BM25)","done":1,"total":2}\n\n',
    ": still here\n\n",
    'event: progress\ndata: {"message":"RAG-Fusion x4 (BM25)","done":2,"total":2}\n\n',
    'event: answer\ndata: {"n_questions":2}\n\n',
  ];
  const asked = vi.fn(
    async (_: Request) => new Response(events.join(""), { headers: { "content-type": "text/event-stream" } }),
  );
  vi.stubGlobal("fetch", asked);
  const seen: Step[] = [];
  const body: RetrievalRequest = {
    dataset: "farm",
    collection: "farm",
    by: "passage",
    ks: [1],
    retrievers: [],
    runs: [],
  };
  const found = await new QueryClient().fetchQuery(
    retrievalQueries.compared(body, (step) => seen.push(step)),
  );
  expect(found).toEqual({ n_questions: 2 });
  expect(seen.map(({ done, total }) => [done, total])).toEqual([
    [1, 2],
    [2, 2],
  ]);
  expect(asked.mock.calls[0]?.[0].headers.get("accept")).toBe("text/event-stream");
});
