const SOURCES: [RegExp, string][] = [
  [/^sweep (.+)$/, "серия $1"],
  [/^sweeps (.+)$/, "серии $1"],
  [/^import (.+)$/, "внесените листове $1"],
  [/^these sheets$/, "тези листове"],
  [/^the runs$/, "изпълненията"],
];

/** Whose constants they are, as the server names them. */
export function sourceOf(text: string): string {
  return SOURCES.reduce((said, [pattern, to]) => said.replace(pattern, to), text);
}
