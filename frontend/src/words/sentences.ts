import type { components } from "@/api/schema";

/** What a sentence of the server was made of. */
export type Wording = components["schemas"]["Wording"];
/** Of every sentence that the server makes. */
export type Code = Wording["code"];
type Value = Wording["values"][string];

/** A number as it stands on screen, in the form that its placeholder asks for. */
export type Numbers = (value: number, form: string) => string;
/** How a word is put, by what stands behind the colon of its placeholder. */
type Forms = Record<string, (value: string) => string>;

interface Language {
  templates: Record<Code, string>;
  forms: Forms;
  numbers: Numbers;
}

const PLACEHOLDER = /\{(\w+)(?::([^}]*))?\}/g;

/** The names that stand in a template, each once. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? ""))].sort();
}

/**
 * A sentence by its template: `{n:ред|реда}` takes the first word for 1 and the second for other numbers, `{p:p}` asks
 * for a form. A sentence within the sentence is said by its own template; several things stand with commas.
 */
export function fill({ code, values }: Wording, language: Language): string {
  const number = (value: number, form: string) => {
    const [one = "", many] = form.split("|");
    if (many === undefined) return language.numbers(value, form);
    return value === 1 ? one : many;
  };
  const put = (value: Value, form: string): string => {
    if (Array.isArray(value)) return value.map((item) => put(item, form)).join(", ");
    if (typeof value === "number") return number(value, form);
    const text = typeof value === "string" ? value : fill(value, language);
    return language.forms[form]?.(text) ?? text;
  };
  return language.templates[code].replace(PLACEHOLDER, (_, name: string, form = "") =>
    put(values[name] ?? "", form),
  );
}
