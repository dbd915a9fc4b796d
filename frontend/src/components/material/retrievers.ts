import { usual } from "@/api/defaults";
import type { Retriever } from "@/api/types";
import { modelOf, modelValue } from "@/components/models/value";
import { t } from "@/words";
import { inputName } from "./inputName";

/** The retrievers that have a name, as on the command line. */
export const RETRIEVERS: Readonly<Record<string, Retriever>> = usual.retrievers;

/** Members in one order, as equal retrievers must have one text, and the model that is asked last. */
const VARIATIONS = { form: "variations", n: 4, with_original: true, prompt: "variations", pins: {} } as const;
const PLAIN_BM25 = { form: "lexical", k1: 1.2, b: 0.75, analyser: "plain" } as const;
const PASSAGE_JUDGE = { form: "passage-judge", task: "relevance", pins: {} } as const;

/** What a model writes for RAG-Fusion. */
export type Prompt = NonNullable<Extract<Helper, { form: "variations" }>["prompt"]>;
/** The scale on which a model grades passages. */
export type Task = NonNullable<Extract<Helper, { form: "passage-judge" }>["task"]>;
type Helper = Extract<Retriever, { by: unknown }>["by"];

/** What RAG-Fusion can rank with. */
const FUSED = ["dense", "bm25", "hybrid"] as const;
const RERANK = /^rerank:(.+)@([\w.-]+)$/;
const GRADED = /^rerank:([^@]+)@(.+\/.+)$/;
const FUSION = /^fusion:([^@]+)@(.+)$/;

/** RAG-Fusion over a retriever with a name, by a model. */
function fusion(name: string, writer: string, prompt: Prompt = VARIATIONS.prompt): Retriever | undefined {
  const of = RETRIEVERS[name];
  const by = { ...VARIATIONS, prompt, judge: modelOf(writer) };
  return of && { form: "rewritten", of, by, k: 60, depth: 100 };
}

/** A retriever whose first passages a cross-encoder orders anew. */
function reranked(of: Retriever, name: string): Retriever {
  return { form: "reranked", of, by: { form: "cross-encoder", name, pins: {} }, depth: 50 };
}

/** A retriever with a name whose first passages a model grades. */
function graded(name: string, judge: string, task: Task = PASSAGE_JUDGE.task): Retriever | undefined {
  const of = RETRIEVERS[name];
  return of && { form: "reranked", of, by: { ...PASSAGE_JUDGE, task, judge: modelOf(judge) }, depth: 10 };
}

/** A map of terms for query expansion, as read from a file. */
interface TermMap {
  name: string;
  terms: Record<string, string[]>;
}

/** The map in a CSV text: a term, then the words that it adds, in each line. The server checks it. */
export function termMapOf(file: string, text: string): TermMap {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() && !line.startsWith("#"))
    .map((line) => line.split(",").map((cell) => cell.trim().replace(/^"|"$/g, "")));
  const terms = Object.fromEntries(lines.map(([term = "", ...added]) => [term, added.filter(Boolean)]));
  return { name: inputName(file), terms };
}

/** Query expansion over a retriever with a name. */
function expanded(name: string, map: TermMap): Retriever {
  const of = RETRIEVERS[name] ?? { form: "dense" };
  return { form: "rewritten", of, by: { form: "terms", ...map, most: 8 }, k: 60, depth: 100 };
}

/** The name of a retriever, or its JSON where it has none. */
export function retrieverValue(retriever: Retriever): string {
  const plain = unpinned(retriever);
  // Addresses separate several retrievers by this character.
  const text = JSON.stringify(plain).replaceAll("~", "\\u007e");
  const known = Object.entries(RETRIEVERS).find(([, each]) => JSON.stringify(each) === text)?.[0];
  if (known) return known;
  if (plain.form === "reranked" && plain.by.form === "cross-encoder") {
    const { name } = plain.by;
    return JSON.stringify(reranked(plain.of, name)) === text
      ? `rerank:${retrieverValue(plain.of)}@${name}`
      : text;
  }
  if (plain.form === "reranked" && plain.by.form === "passage-judge") {
    const judge = modelValue(plain.by.judge);
    const name = Object.keys(RETRIEVERS).find((each) => JSON.stringify(graded(each, judge)) === text);
    return name ? `rerank:${name}@${judge}` : text;
  }
  if (plain.form !== "rewritten" || plain.by.form !== "variations") return text;
  const writer = modelValue(plain.by.judge);
  const name = Object.keys(RETRIEVERS).find((each) => JSON.stringify(fusion(each, writer)) === text);
  return name ? `fusion:${name}@${writer}` : text;
}

/** The retriever without the digests that PaSSER recorded when its sweep was created, its members in one order. */
function unpinned(retriever: Retriever): Retriever {
  switch (retriever.form) {
    case "fused":
      return { ...retriever, of: retriever.of.map(unpinned) };
    case "reranked":
      return { ...retriever, of: unpinned(retriever.of), by: unpinnedBy(retriever.by) };
    case "rewritten":
      return { ...retriever, of: unpinned(retriever.of), by: unpinnedBy(retriever.by) };
    case "dense":
    case "lexical":
      return retriever;
  }
}

function unpinnedBy<By extends Helper>(by: By): By {
  if (by.form === "terms") return by;
  if (by.form === "cross-encoder") return { ...by, pins: {} };
  const { judge, ...others } = by;
  const defaults = by.form === "variations" ? VARIATIONS : PASSAGE_JUDGE;
  return { ...defaults, ...others, pins: {}, judge: modelOf(modelValue(judge)) } as By;
}

/** The retriever of such a value. */
export function retrieverOf(value: string): Retriever {
  const [, first, encoder] = RERANK.exec(value) ?? [];
  if (first && encoder) return reranked(retrieverOf(first), encoder);
  const [, name = "", writer = ""] = FUSION.exec(value) ?? [];
  const [, ranked = "", judge = ""] = GRADED.exec(value) ?? [];
  return RETRIEVERS[value] ?? fusion(name, writer) ?? graded(ranked, judge) ?? JSON.parse(value);
}

/** The models that the chosen retrievers ask. */
export function writersOf(chosen: readonly string[]): string[] {
  return [...new Set(chosen.map(retrieverOf).flatMap(modelsOf))];
}

function modelsOf(retriever: Retriever): string[] {
  const own = "by" in retriever && "judge" in retriever.by ? [modelValue(retriever.by.judge)] : [];
  return [...own, ...("of" in retriever ? [retriever.of].flat().flatMap(modelsOf) : [])];
}

const RETRIEVER_NAMES: Record<string, string> = {
  dense: t("Dense (embedding similarity)"),
  bm25: t("BM25 (words)"),
  "bm25-english": t("BM25 with English stems"),
  hybrid: t("Hybrid (RRF of dense and BM25)"),
  "hybrid-english": t("Hybrid with English stems"),
};

/** What the choice of retrievers depends on. */
interface Helpers {
  /** The model that writes variations or grades passages. */
  writer: string | null;
  /** What it writes. */
  prompt?: Prompt;
  /** How it grades. */
  task?: Task;
  /** The map of terms. */
  map: TermMap | null;
  /** The cross-encoder. */
  encoder: string | null;
}

/** The retrievers with a name, those that a chosen helper makes possible, and those that came with a copied sweep. */
export function retrieverChoices(chosen: readonly string[], helpers: Helpers) {
  const { writer, prompt, task, map, encoder } = helpers;
  const asking = writer
    ? [
        ...FUSED.map((name) => fusion(name, writer, prompt)),
        ...FUSED.map((name) => graded(name, writer, task)),
      ]
    : [];
  const values = new Set([
    ...Object.keys(RETRIEVERS),
    ...asking.flatMap((each) => each ?? []).map(retrieverValue),
    ...(map ? FUSED.map((name) => retrieverValue(expanded(name, map))) : []),
    ...(encoder ? FUSED.map((name) => `rerank:${name}@${encoder}`) : []),
    ...chosen,
  ]);
  return [...values].map((value) => ({ value, label: retrieverName(value) }));
}

const retrieverName = (value: string): string => RETRIEVER_NAMES[value] ?? nameOf(retrieverOf(value));

/** The name of a retriever by its parts; settings that no short name has follow, as experiment files write them. */
function nameOf(retriever: Retriever): string {
  const known = RETRIEVER_NAMES[retrieverValue(retriever)];
  if (known) return known;
  switch (retriever.form) {
    case "lexical":
      return withSettings("BM25", retriever, PLAIN_BM25);
    case "fused": {
      const { of, ...settings } = retriever;
      const name = t("RRF of {retrievers}", { retrievers: of.map(nameOf).join(", ") });
      return withSettings(name, settings, { form: "fused", k: 60, depth: 100 });
    }
    case "rewritten": {
      const { of, by, ...settings } = retriever;
      const name = withSettings(rewrittenName(nameOf(of), by), settings, { k: 60, depth: 100 });
      return by.form === "variations" ? withSettings(name, by, { ...VARIATIONS, prompt: by.prompt }) : name;
    }
    case "reranked": {
      const { of, by } = retriever;
      return t("{retriever}, reranked by {model}", { retriever: nameOf(of), model: rerankerName(by) });
    }
    case "dense":
      return retriever.form;
  }
}

function rewrittenName(retriever: string, by: Extract<Retriever, { form: "rewritten" }>["by"]): string {
  if (by.form === "terms") return t("Terms {map}: {retriever}", { map: by.name, retriever });
  const model = by.judge.name;
  return by.prompt === "keywords"
    ? t("RAG-Fusion by {model}, keywords: {retriever}", { model, retriever })
    : t("RAG-Fusion by {model}: {retriever}", { model, retriever });
}

function rerankerName(by: Extract<Retriever, { form: "reranked" }>["by"]): string {
  if (by.form === "cross-encoder") return by.name;
  return by.task === "umbrela" ? `${by.judge.name} (UMBRELA)` : by.judge.name;
}

/** A name with the members of a value that differ from those given. */
function withSettings(name: string, value: object, usual: object): string {
  const known: Record<string, unknown> = { ...usual };
  const others = Object.entries(value).filter(
    ([key, each]) => key in known && key !== "pins" && each !== known[key],
  );
  return others.length > 0 ? `${name} (${others.map((each) => each.join(" ")).join(", ")})` : name;
}
