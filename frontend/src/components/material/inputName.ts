/** The name under which a file is imported: without suffix and without what addresses cannot hold. */
export function inputName(file: string): string {
  const stem = file.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}_ .()-]+/gu, "-");
  return stem.replace(/^[^\p{L}\p{N}_]+/u, "").slice(0, 60) || "file";
}
