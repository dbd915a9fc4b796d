/** Models and retrievers of a design as schemas. */
import * as v from "valibot";
import { mapOf, real, text } from "../forms";

const MOST_SEARCHES = 16;
const MOST_LEVELS = 4;

export const between = (least: number, most: number) => v.pipe(real, v.minValue(least), v.maxValue(most));
export const whole = (least: number, most: number) =>
  v.pipe(real, v.safeInteger(), v.minValue(least), v.maxValue(most));
/** A string of `least` to `most` characters. */
export const long = (least: number, most: number) =>
  v.pipe(
    text,
    v.check((value) => [...value].length >= least && [...value].length <= most),
  );
export const some = v.pipe(text, v.minLength(1));
export const few = whole(1, 1000);
/** Addresses separated by commas, each once, without user name and password. */
function isShown(address: string): boolean {
  const parts = address.split(",");
  const isPlain = parts.length === 1 || parts.every((part) => part !== "" && part === part.trim());
  const hosts = parts.map((part) => part.split("://").slice(1).join("://").split("/")[0] ?? "");
  return isPlain && new Set(parts).size === parts.length && !hosts.some((host) => host.includes("@"));
}

export const model = v.strictObject({
  provider: v.picklist(["extractive", "local", "ollama", "openai", "outside"]),
  name: some,
  base_url: v.nullable(v.pipe(text, v.check(isShown))),
});
/** A model that answers any prompt, so that it can judge and rewrite. */
const writer = v.pipe(
  model,
  v.check(({ provider }) => provider !== "extractive" && provider !== "outside"),
);

/** Digests that PaSSER notes of weights and instructions; left out where there is none. */
const pins = v.optional(
  v.pipe(
    mapOf(text),
    v.check((value) => Object.keys(value).length > 0),
  ),
);
const added = v.pipe(
  long(1, 100),
  v.check((value) => value === value.trim() && wordsOf(value).length > 0),
);
const terms = v.pipe(
  mapOf(v.pipe(v.array(added), v.minLength(1), v.maxLength(50))),
  v.check((value) => {
    const names = Object.keys(value);
    const words = new Set(names.map((name) => wordsOf(name).join(" ")));
    return (
      names.length >= 1 &&
      names.length <= 1000 &&
      names.every((name) => v.is(added, name)) &&
      words.size === names.length
    );
  }),
);
const rewriter = v.variant("form", [
  v.strictObject({
    form: v.literal("variations"),
    judge: writer,
    pins,
    n: whole(1, 8),
    with_original: v.boolean(),
    prompt: v.optional(v.literal("keywords")),
  }),
  v.strictObject({ form: v.literal("terms"), name: long(1, 60), terms, most: whole(1, 50) }),
]);
const reranker = v.variant("form", [
  v.strictObject({
    form: v.literal("cross-encoder"),
    name: v.pipe(text, v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)),
    pins,
  }),
  v.strictObject({
    form: v.literal("passage-judge"),
    judge: writer,
    pins,
    task: v.optional(v.literal("umbrela")),
  }),
]);

export type Retriever =
  | { form: "dense" | "lexical" }
  | { form: "fused"; of: Retriever[] }
  | { form: "rewritten"; of: Retriever; by: v.InferOutput<typeof rewriter> }
  | { form: "reranked"; of: Retriever; by: v.InferOutput<typeof reranker> };

export const DENSE: Retriever = { form: "dense" };
const nested: v.GenericSchema<Retriever> = v.lazy(() => form);
const constant = whole(1, 10_000);
const form: v.GenericSchema<Retriever> = v.variant("form", [
  v.strictObject({ form: v.literal("dense") }),
  v.strictObject({
    form: v.literal("lexical"),
    k1: between(0, 10),
    b: between(0, 1),
    analyser: v.picklist(["plain", "english"]),
  }),
  v.strictObject({
    form: v.literal("fused"),
    of: v.pipe(v.array(nested), v.minLength(2), v.maxLength(8)),
    k: constant,
    depth: few,
  }),
  v.strictObject({ form: v.literal("rewritten"), of: nested, by: rewriter, k: constant, depth: few }),
  v.strictObject({ form: v.literal("reranked"), of: nested, by: reranker, depth: few }),
]);
export const retriever = v.pipe(
  form,
  v.check((value) => searchesOf(value) <= MOST_SEARCHES && levelsOf(value) <= MOST_LEVELS),
);

function partsOf(of: Retriever): Retriever[] {
  return "of" in of ? [of.of].flat() : [];
}

function levelsOf(of: Retriever): number {
  const parts = partsOf(of);
  return parts.length > 0 ? 1 + Math.max(...parts.map(levelsOf)) : 0;
}

/** Searches for one question. */
function searchesOf(of: Retriever): number {
  const own = partsOf(of).reduce((sum, part) => sum + searchesOf(part), 0) || 1;
  if (of.form !== "rewritten" || of.by.form === "terms") return own;
  return own * (of.by.n + (of.by.with_original ? 1 : 0));
}

export function asksModel(of: Retriever): boolean {
  const isAsking = "by" in of && "judge" in of.by;
  return isAsking || partsOf(of).some(asksModel);
}

function wordsOf(value: string): string[] {
  return value.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
