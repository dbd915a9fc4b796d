/** What a study states of itself, and what it concludes. */
import { canonical } from "../canonical";
import type { Conclusion, Configuration, VerdictDocument } from "../verdict-form";
import { type StudyDocument, sizesOf } from "./form";
import { sentenceOf } from "./methods";
import { configOf, type RunFacts } from "./runs";

/** What a study states of itself. */
export interface VerifiedStudy {
  /** SHA-256 of study.json. */
  digest: string;
  /** Whether it has the runs of a sweep, or imported result sheets. */
  of: "sweep" | "import";
  sweep_id: string;
  title: string;
  /** Runs of the sweep or imported sheets, and of them those in the table. */
  runs: number;
  in_table: number;
  /** Confirmatory where the plan was registered before any configuration had results. */
  standing: "confirmatory" | "exploratory";
  /** What it concludes; null unless it is verified. */
  result: StudyResult | null;
}

/** Conclusions of a study with its dates and its design. */
export interface StudyResult {
  conclusions: readonly StudyConclusion[];
  /** The judge that decides where nobody checked it; null otherwise. */
  unchecked_judge: string | null;
  /** Times of the plan and of the last result, by the clock of whoever published; null where it states no time. */
  planned_at: string | null;
  finished_at: string | null;
  dataset: string;
  questions: number;
  configurations: number;
  /** Names in the table beside what they stand for; empty for imported sheets. */
  settings: readonly StatedConfiguration[];
  primary: string;
  margin: number;
  alpha: number;
}

/** A configuration of the table: its name is only stated, its setting is that of its runs, as canonical JSON. */
interface StatedConfiguration {
  name: string;
  model: string;
  setting: string;
}

/** Verdict about one model, with the gain of what it recommends. */
export interface StudyConclusion extends Pick<Conclusion, "model" | "kind" | "recommended"> {
  gain: number | null;
  low: number | null;
  high: number | null;
  /** Retrieval setting of the recommended configuration by its runs, as canonical JSON: its name is only stated. */
  setting: string | null;
  /** The verdict as methods.md has it, in English. */
  line: string;
}

/** What a study states of itself; `verdict` is null unless the study is verified. */
export function verifiedStudy(
  study: StudyDocument,
  digest: string,
  standing: VerifiedStudy["standing"],
  verdict: VerdictDocument | null,
  all: readonly RunFacts[],
): VerifiedStudy {
  const [inTable, runs] = sizesOf(study);
  return {
    digest,
    of: study.sheets ? "import" : "sweep",
    sweep_id: study.sweep.id,
    title: study.title,
    runs,
    in_table: inTable,
    standing,
    result: verdict && resultOf(study, verdict, all),
  };
}

function resultOf(study: StudyDocument, document: VerdictDocument, runs: readonly RunFacts[]): StudyResult {
  const { configurations, judged, rule } = document;
  const { primary, margin, alpha } = rule;
  const judge = judged?.status === "unchecked" ? judged.judge : null;
  return {
    conclusions: document.conclusions.map((conclusion) => {
      const { model, kind, recommended } = conclusion;
      const place = placeOf(document, conclusion);
      const found = document.gains.find(({ configuration }) => configuration === place);
      const { gain = null, low = null, high = null } = found ?? {};
      const setting = settingOf(configurations[place], runs);
      return { model, kind, recommended, gain, low, high, setting, line: sentenceOf(conclusion, judge) };
    }),
    unchecked_judge: judge,
    planned_at: momentOf(study.sweep.created_at),
    finished_at: momentOf(study.finished_at),
    dataset: study.dataset.name,
    questions: study.dataset.questions,
    configurations: configurations.length,
    settings: configurations.flatMap((each) => {
      const setting = settingOf(each, runs);
      return setting === null ? [] : [{ name: each.name, model: each.model, setting }];
    }),
    primary,
    margin,
    alpha,
  };
}

/** The place of what is recommended; -1 without it, and where several share its name, as in earlier versions. */
function placeOf({ configurations }: VerdictDocument, { model, recommended }: Conclusion): number {
  const [place = -1, ...others] = configurations.flatMap((each, at) =>
    each.model === model && each.name === recommended ? [at] : [],
  );
  return others.length === 0 ? place : -1;
}

function settingOf(configuration: Configuration | undefined, all: readonly RunFacts[]): string | null {
  const config = configOf(configuration, all);
  return config ? canonical(config.retrieval ?? null) : null;
}

const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/;

/** A stated time; null for any other text, which could claim that the time is proven. */
function momentOf(stated: string): string | null {
  return MOMENT.test(stated) ? stated : null;
}
