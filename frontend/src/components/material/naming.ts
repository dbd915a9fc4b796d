import type { DocumentDraft } from "./DocumentSource";

const FEWEST = 3;
const MOST = 60;
const SEVERAL = "documents";

/** A name for the collection of these documents that no other has; empty while there are none. */
export function suggestedName({ kind, files, title, url }: DocumentDraft, taken: readonly string[]): string {
  const [first] = files;
  if (kind === "files") {
    if (!first) return "";
    return unused(files.length > 1 ? SEVERAL : plain(first.name.replace(/\.[^.]+$/, "")), taken);
  }
  const given = kind === "text" ? title : url.replace(/^https?:\/\/(www\.)?/, "");
  return given.trim() === "" ? "" : unused(plain(given), taken);
}

/** Letters, digits and hyphens, as collections are named; what is left of too little says nothing. */
function plain(text: string): string {
  const found = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MOST)
    .replace(/^-+|-+$/g, "");
  return found.length < FEWEST ? SEVERAL : found;
}

function unused(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
