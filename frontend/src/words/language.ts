/** The languages there are, each by its own name. */
export const LANGUAGES = { en: "English", bg: "Български" } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = "passer.language";

function isLanguage(value: string | null | undefined): value is Language {
  return value != null && value in LANGUAGES;
}

/** The language that was chosen; before that, the browser's where it is one of ours. */
function chosen(): Language {
  const kept = globalThis.localStorage?.getItem(KEY);
  if (isLanguage(kept)) return kept;
  const own = globalThis.navigator?.language.slice(0, 2);
  return isLanguage(own) ? own : "en";
}

export const language: Language = chosen();

/** Keep the language; the page comes again in it, with its address and what has been typed into forms. */
export function choose(next: Language): void {
  globalThis.localStorage.setItem(KEY, next);
  globalThis.location.reload();
}
