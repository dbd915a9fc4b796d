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

/** JSON in which texts hold such characters only as signs. */
export function visibleJson(json: string): string {
  // Characters below U+0020 are always escaped in JSON; parsing costs time that most answers need not spend.
  if (!/\\u00|\\[bf]/i.test(json) && json.search(INVISIBLE) < 0) return json;
  return JSON.stringify(JSON.parse(json, (_, value) => (typeof value === "string" ? visible(value) : value)));
}
