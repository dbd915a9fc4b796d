/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: "English", bg: "Български" } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = "passer.language";

function isLanguage(value: string | null | undefined): value is Language {
  return value != null && value in LANGUAGES;
}

/** The chosen language; without a choice that of the browser, if the page has it. */
function chosen(): Language {
  const kept = globalThis.localStorage?.getItem(KEY);
  if (isLanguage(kept)) return kept;
  const own = globalThis.navigator?.language.slice(0, 2);
  return isLanguage(own) ? own : "en";
}

export const language: Language = chosen();

/** Store the language and reload the page, which keeps its address and the text of forms. */
export function choose(next: Language): void {
  globalThis.localStorage.setItem(KEY, next);
  globalThis.location.reload();
}
