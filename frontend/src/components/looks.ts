import type { Sweep } from "@/api/types";

/** Looks as a word in an address. */
export function looksText(looks: Sweep["looks"] | undefined): string | undefined {
  return looks ? `${looks.first}-${looks.second}${looks.is_planned ? "" : "!"}` : undefined;
}

/** The looks of such a word; null where it is none. */
export function looksOf(text: string): Sweep["looks"] {
  const [, first, second, mark] = /^(\d+)-(\d+)(!?)$/.exec(text) ?? [];
  return first && second ? { first: Number(first), second: Number(second), is_planned: !mark } : null;
}
