import type { Retriever } from "@/api/types";
import { modelOf, modelValue } from "@/components/models/value";
import { t } from "@/words";

const BM25 = { form: "lexical", k1: 1.2, b: 0.75, analyser: "plain" } as const;
const merged = (lexical: Retriever): Retriever => ({
  form: "fused",
  of: [{ form: "dense" }, lexical],
  k: 60,
  depth: 100,
});

/** The retrievers that have a name, as on the command line. */
export const RETRIEVERS: Readonly<Record<string, Retriever>> = {
  dense: { form: "dense" },
  bm25: BM25,
  "bm25-english": { ...BM25, analyser: "english" },
  hybrid: merged(BM25),
  "hybrid-english": merged({ ...BM25, analyser: "english" }),
};

/** What RAG-Fusion can rank with. */
const FUSED = ["dense", "bm25", "hybrid"] as const;
const RERANK = /^rerank:(.+)@([\w.-]+)$/;
const FUSION = /^fusion:([^@]+)@(.+)$/;

/** RAG-Fusion over a retriever with a name, by a model. */
function fusion(name: string, writer: string): Retriever | undefined {
  const of = RETRIEVERS[name];
  const by = { form: "variations", judge: modelOf(writer), n: 4, with_original: true, pins: {} } as const;
  return of && { form: "rewritten", of, by, k: 60, depth: 100 };
}

/** A retriever whose first passages a cross-encoder orders anew. */
function reranked(of: Retriever, name: string): Retriever {
  return { form: "reranked", of, by: { form: "cross-encoder", name, pins: {} }, depth: 50 };
}

/** The name of a retriever, or its JSON where it has none. */
export function retrieverValue(retriever: Retriever): string {
  const plain = unpinned(retriever);
  const text = JSON.stringify(plain);
  const known = Object.entries(RETRIEVERS).find(([, each]) => JSON.stringify(each) === text)?.[0];
  if (known) return known;
  if (plain.form === "reranked" && JSON.stringify(reranked(plain.of, plain.by.name)) === text) {
    return `rerank:${retrieverValue(plain.of)}@${plain.by.name}`;
  }
  if (plain.form !== "rewritten") return text;
  const writer = modelValue(plain.by.judge);
  const name = Object.keys(RETRIEVERS).find((each) => JSON.stringify(fusion(each, writer)) === text);
  return name ? `fusion:${name}@${writer}` : text;
}

/** The retriever without the digests that PaSSER recorded when its sweep was created. */
function unpinned(retriever: Retriever): Retriever {
  if (retriever.form === "fused") return { ...retriever, of: retriever.of.map(unpinned) };
  if (retriever.form === "reranked") {
    return { ...retriever, of: unpinned(retriever.of), by: { ...retriever.by, pins: {} } };
  }
  if (retriever.form !== "rewritten") return retriever;
  const by = { ...retriever.by, judge: modelOf(modelValue(retriever.by.judge)), pins: {} };
  return { ...retriever, of: unpinned(retriever.of), by };
}

/** The retriever of such a value. */
export function retrieverOf(value: string): Retriever {
  const [, first, encoder] = RERANK.exec(value) ?? [];
  if (first && encoder) return reranked(retrieverOf(first), encoder);
  const [, name = "", writer = ""] = FUSION.exec(value) ?? [];
  return RETRIEVERS[value] ?? fusion(name, writer) ?? JSON.parse(value);
}

/** The models that write variations for the chosen retrievers. */
export function writersOf(chosen: readonly string[]): string[] {
  return [...new Set(chosen.flatMap((value) => FUSION.exec(value)?.[2] ?? []))];
}

const RETRIEVER_NAMES: Record<string, string> = {
  dense: t("Dense (embedding similarity)"),
  bm25: t("BM25 (words)"),
  "bm25-english": t("BM25 with English stems"),
  hybrid: t("Hybrid (dense and BM25)"),
  "hybrid-english": t("Hybrid with English stems"),
};

/** The retrievers with a name, RAG-Fusion if a model writes variations, and those that came with a copied sweep. */
export function retrieverChoices(chosen: readonly string[], writer: string | null) {
  const fusions = writer ? FUSED.map((name) => `fusion:${name}@${writer}`) : [];
  const values = new Set([...Object.keys(RETRIEVERS), ...fusions, ...chosen]);
  return [...values].map((value) => ({ value, label: retrieverName(value) }));
}

function retrieverName(value: string): string {
  const [, first, encoder] = RERANK.exec(value) ?? [];
  if (first && encoder) {
    return t("{retriever}, reranked by {model}", { retriever: retrieverName(first), model: encoder });
  }
  const [, name = "", writer = ""] = FUSION.exec(value) ?? [];
  if (!RETRIEVER_NAMES[name]) return RETRIEVER_NAMES[value] ?? value;
  return t("RAG-Fusion by {model}: {retriever}", {
    model: modelOf(writer).name,
    retriever: RETRIEVER_NAMES[name],
  });
}
