import { expect, test, vi } from "vitest";
import { askQuestion, type UnfinishedAnswer } from "./answers";
import { Problem } from "./problem";

const ANSWER = { answer: { text: "Three kilometres." } };
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What the server sends, in pieces that end anywhere. */
function stub(...parts: string[]) {
  const bytes = new TextEncoder().encode(parts.join(""));
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
  vi.stubGlobal(
    "fetch",
    async () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  );
}

async function ask(): Promise<{ seen: UnfinishedAnswer[]; found: unknown }> {
  const seen: UnfinishedAnswer[] = [];
  const signal = new AbortController().signal;
  const body = { question: "How far?", collection: "farm" };
  const found = await askQuestion(body, { signal, onNews: (news) => seen.push(news) });
  return { seen, found };
}

test("an answer grows piece by piece, also where bytes of a letter come apart", async () => {
  stub(
    event("stage", "retrieving"),
    ": still here\n\n",
    event("passages", { passages: [] }),
    event("text", { text: "Три ", is_new: false }),
    event("text", { text: "километра", is_new: false }),
    event("answer", ANSWER),
  );
  const { seen, found } = await ask();
  expect(seen.map(({ text }) => text)).toEqual(["", "", "Три ", "Три километра"]);
  expect(seen[1]?.retrieved).toEqual({ passages: [] });
  expect(found).toEqual(ANSWER);
});

test("what an attempt wrote gives way to what the next one writes", async () => {
  stub(
    event("text", { text: "Tw", is_new: false }),
    event("text", { text: "Three", is_new: true }),
    event("answer", ANSWER),
  );
  expect((await ask()).seen.at(-1)?.text).toBe("Three");
});

test("an error after the first words is a problem with its sentence", async () => {
  stub(
    event("text", { text: "Tw", is_new: false }),
    event("problem", { status: 502, title: "Failed", detail: "The server returned 500. Retry." }),
  );
  await expect(ask()).rejects.toThrow("The server returned 500. Retry.");
});

test("a stream that ends before its answer is a lost server", async () => {
  stub(event("text", { text: "Tw", is_new: false }));
  await expect(ask()).rejects.toSatisfy((error) => error instanceof Problem && error.isOffline);
});
