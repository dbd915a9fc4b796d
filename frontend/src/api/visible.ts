import { language } from "@/words";
import { named } from "@/words/names";

/**
 * Control characters and direction marks of untrusted texts as signs, as the command line shows them.
 *
 * Direction marks let a text read as something else than it is. Line ends and tabs stay.
 */
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;
const DELETE = 0x7f;

function sign(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === DELETE ? "\u2421" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

export function visible(text: string): string {
  return text.replace(INVISIBLE, sign);
}

/** Where a name of a configuration may be: parsing costs time that most answers need not spend. */
const NAMES = / ≥ |No retrieval|Published score|Largest gap of|, (?:Dense|T=|temperature )/;

/** Members that are identifiers, or that people wrote: the page sends them back as they are. */
const KEPT =
  /^(?:id|\w+_id|runs?|a|b|opponent|datasets?|collections?|prompt|template|sweep_name|text|raw|references?|tags|note)$/;
/** Members all of whose members are such. */
const KEPT_WHOLE = /^(?:sweep|annotation|question|answer)$/;

/** A value with the name of its member. */
function shown(value: unknown, member: string, hasNames: boolean): unknown {
  const names = hasNames && !KEPT_WHOLE.test(member);
  if (typeof value === "string") return names && !KEPT.test(member) ? named(visible(value)) : visible(value);
  if (Array.isArray(value)) return value.map((each) => shown(each, member, names));
  if (value === null || typeof value !== "object") return value;
  // The name of a sweep is one that people wrote. Tables by configuration have its name as a key.
  const isSweep = "annotation" in value;
  const members = Object.entries(value).map(([key, each]) => [
    names ? named(key) : key,
    shown(each, key, names && !(isSweep && key === "name")),
  ]);
  return Object.fromEntries(members);
}

/** JSON in which texts hold such characters only as signs, and names of configurations are in the reader's language. */
export function visibleJson(json: string): string {
  const hasNames = language !== "en" && NAMES.test(json);
  // Characters below U+0020 are always escaped in JSON.
  if (!hasNames && !/\\u00|\\[bf]/i.test(json) && json.search(INVISIBLE) < 0) return json;
  return JSON.stringify(shown(JSON.parse(json), "", hasNames));
}
