import { describe, expect, test } from "vitest";
import type { Sweep } from "@/api/types";
import { looksText } from "@/components/looks";
import { DEFAULTS, type SweepForm } from "./form";
import { fromSweep, toSweep, withReplacements, withStep } from "./sweep";

const form: SweepForm = { ...DEFAULTS, collection: "farming", dataset: "farming-60" };

describe("the sweep of a form", () => {
  test("varies thresholds against a top-k baseline of five passages", () => {
    const sweep = toSweep({ ...form, start: 0.4, stop: 0.5, step: 0.1, maxK: 50, kIncrement: 5 }, "Name");
    expect(sweep.axes).toMatchObject({ min_similarity: [0.4, 0.5], k: [], model: [] });
    expect(sweep.baseline).toEqual({ mode: "normal", k: 5 });
    expect(sweep.max_k).toBe(50);
    expect(sweep.k_increment).toBe(5);
  });

  test("varies k alone, without a baseline", () => {
    const sweep = toSweep(
      { ...form, varyThreshold: false, varyK: true, ks: "5, 10", baseline: "nothing" },
      "Name",
    );
    expect(sweep.axes).toMatchObject({ min_similarity: [], k: [5, 10] });
    expect(sweep.baseline).toBeNull();
  });

  test("takes one model as its own and several as an axis", () => {
    expect(toSweep(form, "Name").axes?.model).toEqual([]);
    const several = toSweep({ ...form, models: ["ollama/a", "ollama/b"] }, "Name");
    expect(several.axes?.model).toEqual([
      { provider: "ollama", name: "a" },
      { provider: "ollama", name: "b" },
    ]);
  });

  test("gives single models a context window of their own, and a copy keeps it", () => {
    const models = ["ollama/a", "ollama/b"];
    const sweep = toSweep({ ...form, models, numCtxOf: { "ollama/b": 8192, "ollama/gone": 512 } }, "Name");
    expect(sweep.windows).toEqual([{ model: { provider: "ollama", name: "b" }, num_ctx: 8192 }]);
    const stored = { ...sweep, config: { ...sweep.config, options: {} } } as unknown as Sweep;
    expect(fromSweep(stored).numCtxOf).toEqual({ "ollama/b": 8192 });
    expect(toSweep({ ...form, models, numCtxOf: { "ollama/b": "" } }, "Name")).not.toHaveProperty("windows");
  });

  test("records the judge of its primary metric, and a copy keeps it", () => {
    const judged = { ...form, primary: "Faithfulness", judge: "ollama/j" };
    const sweep = toSweep(judged, "Name");
    expect(sweep).toMatchObject({ primary: "Faithfulness", judge: { provider: "ollama", name: "j" } });
    const stored = { ...sweep, config: { ...sweep.config, options: {} } } as unknown as Sweep;
    expect(fromSweep(stored)).toMatchObject({ primary: "Faithfulness", judge: "ollama/j" });
    expect(toSweep(form, "Name")).not.toHaveProperty("judge");
  });

  test("records what cost is measured by, money with its price, and a copy keeps both", () => {
    const sweep = toSweep({ ...form, cost: "money", price: "0.15,0.6 USD" }, "Name");
    expect(sweep).toMatchObject({ cost: "money", price: "0.15,0.6 USD" });
    const price = { input: 0.15, output: 0.6, currency: "USD" };
    const stored = { ...sweep, price, config: { ...sweep.config, options: {} } } as unknown as Sweep;
    expect(fromSweep(stored)).toMatchObject({ cost: "money", price: "0.15,0.6 USD" });
    expect(toSweep({ ...form, price: "0.15,0.6" }, "Name")).not.toHaveProperty("price");
  });

  test("leaves out what was emptied, so that the server's default holds", () => {
    const emptied = toSweep({ ...form, seed: "", questions: "", temperatures: "" }, "Name");
    const sent = JSON.parse(JSON.stringify(emptied));
    expect(sent.config.options).not.toHaveProperty("seed");
    expect(sent.config.options).not.toHaveProperty("temperature");
    expect(sent.config).not.toHaveProperty("questions");
    expect(sent.config.options.top_p).toBe(0.9);
  });

  test("sets every option that a server's version would decide, but none that a copied sweep left open", () => {
    expect(toSweep(form, "Name").config?.options).toMatchObject({
      repeat_penalty: 1,
      min_p: 0,
      num_batch: 512,
      think: false,
    });
    const copied = toSweep({ ...form, repeatPenalty: "", further: {} }, "Name");
    expect(Object.keys(JSON.parse(JSON.stringify(copied)).config.options).sort()).toEqual([
      "num_ctx",
      "num_predict",
      "seed",
      "temperature",
      "top_k",
      "top_p",
    ]);
  });

  test("passes wrong values on unchanged", () => {
    const sweep = toSweep({ ...form, start: 1.5, stop: 1.5, baselineK: -1 }, "Name");
    expect(sweep.axes?.min_similarity).toEqual([1.5]);
    expect(sweep.baseline).toEqual({ mode: "normal", k: -1 });
  });
});

describe("a form comes back from its sweep", () => {
  const typed: SweepForm[] = [
    { ...form, baselineK: 100, kIncrement: 7 },
    { ...form, start: 0.45, stop: 0.6, step: 0.05, baselineK: 12, questions: 40, repeat: 2 },
    { ...form, models: ["ollama/a", "extractive/extractive"], temperatures: "0, 0.5", baseline: "none" },
    { ...form, varyK: true, ks: "5, 10", prompts: ["default", "terse"], baseline: "nothing" },
    { ...form, thresholdsAs: "list", thresholdList: "0.3, 0.35, 0.9", baselineK: 7, stripThinking: false },
    {
      ...form,
      varyThreshold: false,
      varyK: true,
      baseline: "nothing",
      noPassages: "ask",
      profile: "published",
    },
    {
      ...form,
      baseline: "copied",
      carried: {
        retrieval: { mode: "normal", k: 3 },
        axes: {
          retrieval: [{ mode: "none" }],
          chunking: [{ chunk_size: 512, chunk_overlap: 0, unit: "characters" }],
          embedding: [],
        },
        baseline: { mode: "score", min_similarity: 0.5, max_k: 10, k_increment: 2 },
      },
    },
    { ...form, baselineK: 9, timed: true, warmUp: 2 },
    { ...form, baselineK: 9, think: true, repeatPenalty: 1.1 },
    { ...form, baselineK: 9, repeatPenalty: "", further: {} },
    {
      ...form,
      baselineK: 5,
      varyThreshold: false,
      varyK: true,
      retrievers: ["dense", "bm25", "hybrid-english", "fusion:bm25@local/smollm2-135m", "rerank:hybrid@tiny"],
    },
    { ...form, baselineK: 5, retrievers: ['{"form":"lexical","k1":0.9,"b":0.4,"analyser":"plain"}'] },
  ];

  test.each(typed.map((value, place) => [place, value] as const))("form %d", (_, value) => {
    expect(fromSweep(toSweep(value, "Name") as Sweep)).toEqual(value);
  });
});

test("a timing run is asked for with its warm-up; otherwise the sweep says nothing of it", () => {
  expect(toSweep({ ...DEFAULTS, timed: true, warmUp: 0 }, "Name").timing).toEqual({ warm_up: 0 });
  expect(toSweep({ ...DEFAULTS, timed: true, warmUp: "" }, "Name").timing).toEqual({ warm_up: undefined });
  expect("timing" in toSweep(DEFAULTS, "Name"), "no timing run").toBe(false);
});

describe("a next step of a verdict", () => {
  const model = { provider: "ollama", name: "b", base_url: null };
  const runs = [{ id: "r7", config: { model } }] as unknown as Parameters<typeof withStep>[2];
  const copied: SweepForm = { ...form, models: ["ollama/a", "ollama/b"], name: "Copy" };

  test("narrows the thresholds to a finer range, for the model of the recommended run", () => {
    const filled = withStep(copied, { run: "r7", thresholds: "0.46,0.48,0.5,0.52,0.54" }, runs);
    expect(filled).toMatchObject({
      varyThreshold: true,
      thresholdsAs: "range",
      start: 0.46,
      stop: 0.54,
      step: 0.02,
    });
    expect(filled.models).toEqual(["ollama/b"]);
  });

  test("sets one threshold against a fixed number of passages", () => {
    const sweep = toSweep(withStep(copied, { run: "r7", thresholds: "0.5", k: "3" }, runs), "Name");
    expect(sweep.axes).toMatchObject({ min_similarity: [0.5], k: [3] });
  });

  test("raises the number of questions and declares the look", () => {
    const looks = { first: 60, second: 140, is_planned: false };
    expect(looksText(looks)).toBe("60-140!");
    const filled = withStep(copied, { questions: 140, looks: "60-140!" }, runs);
    expect(filled).toEqual({ ...copied, questions: 140, looks });
    const sweep = toSweep(filled, "Name");
    expect(sweep.looks).toEqual(looks);
    expect(fromSweep(sweep as Sweep).looks).toEqual(looks);
    expect(toSweep(copied, "Name"), "as before where no look is declared").not.toHaveProperty("looks");
    expect(withStep(copied, { looks: "many" }, runs).looks, "what is no look is none").toBeNull();
  });
});

describe("a configuration that needs what is not available", () => {
  const away = { provider: "ollama", name: "mistral:7b" } as const;
  const small = { provider: "local", name: "smollm2-135m" } as const;
  const part = { name: "", command: "", line: "" };
  const model = { ...part, kind: "model", model: away, replacement: small } as const;
  const needed: SweepForm = {
    ...form,
    models: ["ollama/mistral:7b", "ollama/llama2:7b", "local/smollm2-135m"],
    carried: {
      retrieval: { mode: "normal", k: 100 },
      axes: {
        retrieval: [],
        embedding: ["ollama/mistral"],
        chunking: [{ chunk_size: 1024, chunk_overlap: 50, unit: "characters" }],
      },
      baseline: null,
    },
  };

  test("gets the replacement of each missing model once, and keeps the others", () => {
    const found = withReplacements(needed, [model]);
    expect(found.models).toEqual(["local/smollm2-135m", "ollama/llama2:7b"]);
    expect(found.carried).toBe(needed.carried);
  });

  test("asks for no embedding model and chunking where the embedding model is missing", () => {
    const found = withReplacements(needed, [{ ...part, kind: "embedding" }]);
    expect(found.models).toEqual(needed.models);
    expect(found.carried?.axes).toEqual({ retrieval: [], embedding: [], chunking: [] });
    expect(found.carried?.retrieval).toEqual({ mode: "normal", k: 100 });
  });

  test("asks its baseline again only where there is one", () => {
    expect(toSweep({ ...form, noise: true }, "Name").noise).toBe(true);
    expect(toSweep({ ...form, noise: true, baseline: "nothing" }, "Name")).not.toHaveProperty("noise");
    expect(fromSweep({ ...(toSweep({ ...form, noise: true }, "N") as Sweep) }).noise).toBe(true);
  });
});
