/** The model of each configuration as a study names it: what it is called tells whose verdict it belongs to. */
import { canonical, type Json } from "../canonical";
import type { Manifest } from "../forms";
import type { StudyDocument } from "./form";

const DENSE = "dense";

/** A configuration whose model is named. */
export interface Named {
  /** The name that the study states. */
  stated: string;
  /** The name of its first run. */
  run: string;
  config: Manifest["config"];
  /** The same for all configurations of one baseline. */
  arm: string;
}

/** The first configuration with another name than its own; -1 where none has. */
export function otherLabel(study: StudyDocument, named: readonly Named[]): number {
  const arms = named.map(({ arm }) => arm);
  const models = named.map((each) => modelOf(study, each));
  const varied = withSeveral(arms, models);
  const rankings = rankingsOf(named, models);
  const earlier = named.map(({ config }, place) => {
    const model = models[place] as string;
    const ranked = rankings.get(canonical(config.retriever ?? DENSE)) ?? "";
    return varied.has(model) ? `${model} (${ranked}${settingsOf(config)})` : model;
  });
  const isOther = (labels: string[]) => named.findIndex(({ stated }, place) => labels[place] !== stated);
  // Once, arms that differ in nothing else had the same name and one verdict.
  if (isOther(earlier) < 0) return -1;
  const collections = named.map(({ config }) => String(config.collection));
  const labels = extended(earlier, collections, withSeveral(arms, earlier));
  return isOther(extended(labels, variantsOf(arms, labels), withSeveral(arms, labels)));
}

/** A number with six digits, as `%g` of C prints it. */
export function shortest(value: number): string {
  const rounded = Number(value.toPrecision(6));
  if (rounded === 0 || rounded >= 1e-4) return String(rounded);
  return rounded.toExponential().replace(/e-(\d)$/, "e-0$1");
}

/** The model of a run, with its server where the name of the run says which one is meant. */
function modelOf({ design }: StudyDocument, { run, config }: Named): string {
  const name = String(memberOf(config.model, "name"));
  const asked = memberOf(design.axes, "model");
  const alike = Array.isArray(asked) ? asked.filter((each) => memberOf(each, "name") === name) : [];
  const servers = alike.map((_, place) => `${name} (server ${place + 1})`);
  return servers.find((label) => `${run}, `.startsWith(`${label}, `)) ?? name;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? value[name] : undefined;
}

function settingsOf({ prompt, options }: Manifest["config"]): string {
  return `${prompt}, temperature ${shortest(Number(memberOf(options, "temperature")))}`;
}

/** Retrievers as the study names them, each everywhere as in its first configuration; dense ones are not named. */
function rankingsOf(named: readonly Named[], models: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [place, { stated, config }] of named.entries()) {
    const key = canonical(config.retriever ?? DENSE);
    if (config.retriever === undefined || found.has(key)) continue;
    const from = `${models[place]} (`.length;
    const ranked = stated.slice(from, Math.max(from, stated.lastIndexOf(settingsOf(config))));
    found.set(key, /, $/.test(ranked) ? ranked : "?, ");
  }
  return found;
}

/** The number of each arm among those with its label. */
function variantsOf(arms: readonly string[], labels: readonly string[]): string[] {
  const seen = new Map<string, string[]>();
  return labels.map((label, place) => {
    const own = seen.get(label) ?? [];
    const arm = arms[place] as string;
    if (!own.includes(arm)) own.push(arm);
    seen.set(label, own);
    return `variant ${own.indexOf(arm) + 1}`;
  });
}

/** The labels, the shared ones with `more` where it differs. */
function extended(labels: readonly string[], more: readonly string[], shared: ReadonlySet<string>): string[] {
  const differs = withSeveral(more, labels);
  return labels.map((label, place) =>
    shared.has(label) && differs.has(label) ? `${label.slice(0, -1)}, ${more[place]})` : label,
  );
}

/** The labels with several values. */
function withSeveral(values: readonly string[], labels: readonly string[]): Set<string> {
  const found = new Map<string, Set<string>>();
  for (const [place, label] of labels.entries()) {
    found.set(label, (found.get(label) ?? new Set()).add(values[place] as string));
  }
  return new Set([...found].flatMap(([label, own]) => (own.size > 1 ? [label] : [])));
}
