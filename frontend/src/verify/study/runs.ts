/** The runs of a study: their bundles are verified one after the other, and kept as an analysis needs them. */
import { digestOf } from "../bytes";
import { canonical, type Json } from "../canonical";
import type { Manifest, QuestionRecord, Receipt, Scores, TimingRecord } from "../forms";
import type { Violation } from "../steps";
import type { Configuration } from "../verdict-form";
import type { Texts } from "../verdict-judged";
import { memberOf, type StudyDocument, type StudyRun } from "./form";
import { planProblem } from "./plan";

/** Configuration of a run by its manifest; undefined where it was not read. */
export function configOf(
  configuration: Configuration | undefined,
  all: readonly RunFacts[],
): Manifest["config"] | undefined {
  const [first] = configuration?.runs ?? [];
  return all.find(({ run, runDigest }) => runDigest !== null && run.id === first?.id)?.manifest.config;
}

/** One question of one run. */
export interface Item {
  id: string;
  state: QuestionRecord["state"];
  scores: Scores | null;
  missing: Record<string, string>;
  /** Null where nothing is known of them. */
  passages: number | null;
  /** Digest of the prompt; null where nothing was asked. */
  prompt: string | null;
  /** Tokens of the prompt; null where nothing was generated, or the server did not say. */
  tokens: number | null;
  /** Tokens of the answer. */
  made: number | null;
  seconds: number | null;
}

export interface RunFacts {
  run: StudyRun;
  manifest: Manifest;
  /** Null of an imported sheet. */
  runDigest: string | null;
  /** Digests of id, question and references, in order: the same in all runs. */
  asked: readonly string[];
  hasTexts: boolean;
  /** Rows of the ledger in the run's bundle. */
  rows: readonly Receipt[];
  items: Item[];
  /** Texts by id of the question, where a judge decides; else empty. */
  judged: ReadonlyMap<string, Texts>;
}

/** What a verified bundle shows of its run. */
export interface Verified {
  manifest: Manifest;
  timings: (TimingRecord | null)[];
  runDigest: string;
  rows: readonly Receipt[];
}

/** Collects the facts of one run while its records are read. */
export class RunRecords {
  readonly items: Item[] = [];
  private readonly judged = new Map<string, Texts>();
  private readonly asked: Promise<string>[] = [];
  private hasTexts = true;

  constructor(private readonly keepsJudged: boolean) {}

  see(record: QuestionRecord): void {
    const {
      id,
      question,
      reference,
      answer,
      state,
      scores,
      missing,
      passages,
      contexts = [],
      prompt_digest,
      timings,
      withheld,
      other_references,
    } = record;
    const others = other_references ? [other_references] : [];
    this.asked.push(
      withheld ? Promise.resolve(withheld.asked) : digestOf(canonical([id, question, reference, ...others])),
    );
    if (withheld) this.hasTexts = false;
    if (this.keepsJudged)
      this.judged.set(id, { question, reference, answer, ...(other_references && { other_references }) });
    this.items.push({
      id,
      state,
      scores,
      missing,
      passages: passages.length + contexts.length,
      prompt: prompt_digest,
      tokens: timings.prompt_eval_count,
      made: timings.eval_count,
      seconds: null,
    });
  }

  async facts(run: StudyRun, { manifest, timings, runDigest, rows }: Verified): Promise<RunFacts> {
    const asked = await Promise.all(this.asked);
    for (const [number, item] of this.items.entries()) {
      item.seconds = timings[number]?.generation_s || null;
      if (item.seconds === null) {
        item.tokens = null;
        item.made = null;
      }
    }
    return {
      run,
      manifest,
      runDigest,
      asked,
      hasTexts: this.hasTexts,
      rows,
      items: this.items,
      judged: this.judged,
    };
  }
}

/** The first member that is not the bundle of a run in the table, or is missing; null where all are right. */
export function otherMember(
  before: readonly string[],
  expected: StudyRun[],
  held: readonly string[],
): string | null {
  const names = [...before, ...expected.map(memberOf)];
  const isSame = names.length === held.length && names.every((name, place) => name === held[place]);
  if (isSame && expected.length > 0) return null;
  return [...names, ...held].find((name) => names.includes(name) !== held.includes(name)) ?? "study.json";
}

/** In what the runs are not those of the design. */
export async function designProblem(study: StudyDocument, runs: RunFacts[]): Promise<Violation | null> {
  const [first] = runs;
  if (!first) return { why: "run_differs", facts: ["", ""] };
  if (runs.some(({ hasTexts }) => hasTexts !== (study.texts === undefined))) {
    return { why: "texts_unstated", field: "texts" };
  }
  const prompts = new Map(study.prompts.map(({ name, digest }) => [name, digest]));
  for (const { run, manifest, runDigest, asked } of runs) {
    const template = manifest.prompt_template;
    const compared: [string, unknown, unknown][] = [
      ["run_digest", runDigest, run.run_digest],
      ["config_digest", manifest.config_digest, run.config_digest],
      ["id", manifest.run.id, run.id],
      ["name", manifest.run.name, run.name],
      ["sweep", manifest.run.sweep_id, study.sweep.id],
      ["dataset", manifest.dataset.digest, study.dataset.digest],
      ["dataset name", manifest.dataset.name, study.dataset.name],
      ["number of questions", manifest.dataset.questions, study.dataset.questions],
      ["questions", asked.join(), first.asked.join()],
      ["scorer", canonical(manifest.scored_by), canonical(first.manifest.scored_by)],
      ["prompt", template.digest, prompts.get(template.name) ?? template.digest],
    ];
    const other = compared.find(([, one, two]) => one !== two);
    if (other) return { why: "run_differs", facts: [run.name, other[0]], field: `runs ${run.id}` };
    if (!isConfig(manifest.config)) {
      return { why: "bad_run_config", facts: [run.name], field: `runs ${run.id}` };
    }
  }
  const unplanned = await planProblem(study);
  if (unplanned) return unplanned;
  for (const [place, { name, text, digest }] of study.prompts.entries()) {
    if ((await digestOf(text)) !== digest) {
      return { why: "bad_prompt", facts: [name], field: `prompts[${place}]` };
    }
  }
  return null;
}

/** Whether it has the members that this verifier reads of a configuration. */
function isConfig({ model, options, repeat, retrieval, prompt }: Manifest["config"]): boolean {
  const isObject = (value: Json | undefined): value is Record<string, Json> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return (
    isObject(model) &&
    typeof model.name === "string" &&
    isObject(options) &&
    typeof options.seed === "number" &&
    typeof repeat === "number" &&
    isObject(retrieval) &&
    typeof prompt === "string"
  );
}
