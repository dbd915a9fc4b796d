/** Where a dropped file stood in its folder: what a sheet holds is told by its path. */
export function pathOf(file: File & { path?: string; relativePath?: string }): string {
  const path = file.webkitRelativePath || file.relativePath || file.path || file.name;
  return path.replace(/^\.?\//, "");
}

/** The same file under its path; a file sent has no other place for it. */
export function withPath(file: File): File {
  const path = pathOf(file);
  return path === file.name ? file : new File([file], path, { type: file.type });
}
