import { expect, test } from "vitest";
import type { Retriever } from "@/api/types";
import { retrieverChoices, retrieverOf, retrieverValue, writersOf } from "./retrievers";

const JUDGE = { provider: "local", name: "m", base_url: null } as const;
const DENSE = { form: "dense" } as const;
const HELPERS = { writer: null, map: null, encoder: null };

/** What the server has stored of a sweep: its own order of members, pins, and no member at its default. */
function stored(by: object, form: "rewritten" | "reranked" = "rewritten"): Retriever {
  const more = form === "rewritten" ? { k: 60, depth: 100 } : { depth: 10 };
  return {
    form,
    of: DENSE,
    by: { judge: JUDGE, pins: { task: "ab" }, ...by },
    ...more,
  } as unknown as Retriever;
}
const labelOf = (value: string) =>
  retrieverChoices([value], HELPERS).find((each) => each.value === value)?.label;

test("a retriever of a stored sweep has the name that the command line gives it", () => {
  const fusion = retrieverValue(stored({ form: "variations", n: 4, with_original: true }));
  expect(fusion).toBe("fusion:dense@local/m");
  expect(labelOf(fusion)).toBe("RAG-Fusion by m: Dense (embedding similarity)");
  const graded = retrieverValue(stored({ form: "passage-judge" }, "reranked"));
  expect(graded).toBe("rerank:dense@local/m");
  expect(labelOf(graded)).toBe("Dense (embedding similarity), reranked by m");
});

test("other instructions of the model are kept, and named by their settings", () => {
  const keywords = stored({ form: "variations", n: 2, with_original: true, prompt: "keywords" });
  const value = retrieverValue(keywords);
  expect(retrieverOf(value)).toMatchObject({ by: { n: 2, prompt: "keywords", judge: { name: "m" } } });
  expect(labelOf(value)).toBe("RAG-Fusion by m, keywords: Dense (embedding similarity) (n 2)");
  const umbrela = retrieverValue(stored({ form: "passage-judge", task: "umbrela" }, "reranked"));
  expect(labelOf(umbrela)).toBe("Dense (embedding similarity), reranked by m (UMBRELA)");
  expect(writersOf([value, umbrela, "dense"])).toEqual(["local/m"]);
});

test("a chosen model offers what it is to write and how it is to grade", () => {
  const labels = (more: object) =>
    retrieverChoices([], { ...HELPERS, writer: "local/m", ...more }).map(({ label }) => label);
  expect(labels({})).toContain("RAG-Fusion by m: BM25 (words)");
  expect(labels({})).toContain("BM25 (words), reranked by m");
  const other = retrieverChoices([], {
    ...HELPERS,
    writer: "local/m",
    prompt: "keywords",
    task: "umbrela",
  }).slice(-6);
  expect(other.map(({ label }) => label).filter((label) => label.includes("BM25 (words)"))).toEqual([
    "RAG-Fusion by m, keywords: BM25 (words)",
    "BM25 (words), reranked by m (UMBRELA)",
  ]);
  expect(other.map(({ value }) => retrieverOf(value))).toEqual([
    ...Array(3).fill(expect.objectContaining({ by: expect.objectContaining({ prompt: "keywords", n: 4 }) })),
    ...Array(3).fill(
      expect.objectContaining({ by: expect.objectContaining({ task: "umbrela" }), depth: 10 }),
    ),
  ]);
  // What the page sends is what it reads from a stored sweep.
  expect(other.map(({ value }) => retrieverValue(retrieverOf(value)))).toEqual(
    other.map(({ value }) => value),
  );
});

test("settings of BM25 and of a fusion are named", () => {
  const bm25 = { form: "lexical", k1: 0.9, b: 0.4, analyser: "plain" } as const;
  expect(labelOf(retrieverValue(bm25))).toBe("BM25 (k1 0.9, b 0.4)");
  const merged = { form: "fused", of: [DENSE, bm25], k: 10, depth: 100 } as const;
  expect(labelOf(retrieverValue({ ...merged, of: [...merged.of] }))).toBe(
    "RRF of Dense (embedding similarity), BM25 (k1 0.9, b 0.4) (k 10)",
  );
});
