/** One name for a model that two imports call differently, by the imports' own names. */
export type Labels = Record<string, string>;

const BETWEEN = "~";
const IS = "=";

/** Labels as the address has them; what is none is left out. */
export function readLabels(text: string | undefined): Labels {
  const pairs = (text ?? "").split(BETWEEN).map((part) => {
    const at = part.lastIndexOf(IS);
    return [part.slice(0, at), part.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs.filter(([model, label]) => model !== "" && label !== ""));
}

/** The same for the address: nothing where every model keeps its name. */
export function writeLabels(labels: Labels): string | undefined {
  return listOf(labels).join(BETWEEN) || undefined;
}

/** MODEL=Label, as the server takes them; a model that keeps its name needs none. */
export function listOf(labels: Labels): string[] {
  return Object.entries(labels)
    .map(([model, label]) => [model, label.replaceAll(BETWEEN, " ").replaceAll(IS, " ").trim()] as const)
    .filter(([model, label]) => label !== "" && label !== model)
    .map(([model, label]) => `${model}${IS}${label}`);
}

/** Those that belong to models which are still chosen. */
export function only(labels: Labels, models: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([model]) => models.includes(model)));
}
