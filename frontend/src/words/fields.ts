/**
 * A field of a configuration or of its conditions in a researcher's words: by its last part (`options.seed` is the
 * seed), else by what it belongs to (`retrieval.k` is retrieval), else as the record names it.
 */
export function nameOfField(path: string, names: Readonly<Record<string, string>>): string {
  const parts = path.replace(/^(scored_by|conditions)\./, "").split(".");
  return names[parts.at(-1) ?? ""] ?? names[parts[0] ?? ""] ?? parts.join(" ").replaceAll("_", " ");
}
