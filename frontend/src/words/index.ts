import { IntlMessageFormat } from "intl-messageformat";
import { formatCount, THIN } from "./count";
import { type Language, language } from "./language";

export { choose, LANGUAGES, type Language, language } from "./language";

type Catalogue = Readonly<Record<string, string>>;

/** Messages by their English text; a missing one is shown in English. */
const CATALOGUES: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogue }>> = {
  bg: () => import("./bg.json"),
};
/** Values of the placeholders of a message, by name. */
export type Values = Record<string, string | number>;

// English stands where it is used. Another language is loaded before the first page is drawn, so that messages may be
// made when a module is loaded.
const CATALOGUE: Catalogue = language === "en" ? {} : (await CATALOGUES[language]()).default;
const MADE = new Map<string, IntlMessageFormat>();
const plurals = new Intl.PluralRules(language);
const ordinals = new Intl.PluralRules(language, { type: "ordinal" });

/** Numbers in messages are written as everywhere else on screen, in all languages. */
const formatters = {
  getNumberFormat: () => ({ format: formatCount }) as unknown as Intl.NumberFormat,
  getDateTimeFormat: (...of: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...of),
  getPluralRules: (_?: unknown, options?: Intl.PluralRulesOptions) =>
    options?.type === "ordinal" ? ordinals : plurals,
};

/**
 * A message in the reader's language, by its English in ICU's syntax: `{count, plural, one {# row} other {# rows}}`.
 * A context tells apart what is one word in English and two in another language; it is not shown.
 */
export function t(english: string, values?: Values, context?: string): string {
  const message = CATALOGUE[context ? `${english} | ${context}` : english] ?? english;
  if (!/[{']/.test(message)) return message;
  let made = MADE.get(message);
  if (made === undefined) {
    // A number keeps its sign at the end of a line.
    const unbroken = message.replace(/([\d}]) %/g, `$1${THIN}%`);
    made = new IntlMessageFormat(unbroken, language, undefined, { formatters, ignoreTag: true });
    MADE.set(message, made);
  }
  return String(made.format(values));
}
