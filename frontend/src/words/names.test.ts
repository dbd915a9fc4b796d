import { expect, test, vi } from "vitest";

async function speaking(language: string) {
  vi.resetModules();
  localStorage.setItem("passer.language", language);
  const { named } = await import("./names");
  const { visibleJson } = await import("@/api/visible");
  return { named, visibleJson };
}

test.each([
  ["Similarity ≥ 0.50", "Сходство ≥ 0,50"],
  ["llama3.1:8b, Similarity ≥ 0.50, Dense, T=0.2, #2", "llama3.1:8b, Сходство ≥ 0,50, Векторно, T=0,2, #2"],
  ["No retrieval", "Без извличане"],
  ["Published score 0.50", "Публикуван праг 0,50"],
  ["Relative ≥ 0.85", "Относително ≥ 0,85"],
  ["Largest gap of 20", "Най-голям спад сред 20"],
  ["Top-k 5", "Top-k 5"],
  ["m (BM25, default, temperature 0.2), Top-k 3, BM25", "m (BM25, default, температура 0,2), Top-k 3, BM25"],
  ["m (default, temperature 0.2, variant 1)", "m (default, temperature 0.2, variant 1)"],
  ["Dense", "Dense"],
  ["A text on Similarity ≥ 0.50, T=0.2", "A text on Similarity ≥ 0.50, T=0.2"],
])("%s is %s in Bulgarian", async (stored, shown) => {
  const { named } = await speaking("bg");
  expect(named(stored)).toBe(shown);
  expect(named(shown)).toBe(shown);
});

test("answers of the server hold names in the language of the page, and in English as they are stored", async () => {
  const sent = JSON.stringify({ runs: [{ name: "m, Similarity ≥ 0.50" }], by: { "No retrieval": 1 } });
  expect((await speaking("en")).visibleJson(sent)).toBe(sent);
  const { visibleJson } = await speaking("bg");
  expect(JSON.parse(visibleJson(sent))).toEqual({
    runs: [{ name: "m, Сходство ≥ 0,50" }],
    by: { "Без извличане": 1 },
  });
  const own = {
    // What is sent back, or what people wrote, is no name of a configuration.
    game: { a: "No retrieval", b: "m, Top-k 0.5" },
    dataset: { name: "farm", dataset: "No retrieval" },
    detail: { name: "No retrieval", sweep: { name: "No retrieval" }, annotation: { tags: ["No retrieval"] } },
    question: { id: "q", text: "No retrieval", reference: "No retrieval" },
  };
  expect(JSON.parse(visibleJson(JSON.stringify(own)))).toEqual(own);
  const plain = JSON.stringify({ a: "b" });
  expect(visibleJson(plain)).toBe(plain);
});
