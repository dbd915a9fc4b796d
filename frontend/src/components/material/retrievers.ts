import type { Retriever } from "@/api/types";
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

/** The name of a retriever, or its JSON where it has none. */
export function retrieverValue(retriever: Retriever): string {
  const text = JSON.stringify(retriever);
  return Object.entries(RETRIEVERS).find(([, known]) => JSON.stringify(known) === text)?.[0] ?? text;
}

/** The retriever of such a value. */
export function retrieverOf(value: string): Retriever {
  return RETRIEVERS[value] ?? JSON.parse(value);
}

const RETRIEVER_NAMES: Record<string, string> = {
  dense: t("Dense (embedding similarity)"),
  bm25: t("BM25 (words)"),
  "bm25-english": t("BM25 with English stems"),
  hybrid: t("Hybrid (dense and BM25)"),
  "hybrid-english": t("Hybrid with English stems"),
};

/** The retrievers with a name, and those that came with a copied sweep. */
export function retrieverChoices(chosen: readonly string[]) {
  const values = new Set([...Object.keys(RETRIEVERS), ...chosen]);
  return [...values].map((value) => ({ value, label: RETRIEVER_NAMES[value] ?? value }));
}
