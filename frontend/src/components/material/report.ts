/** What became of the documents of one ingest. */
export interface IngestReport {
  /** Passages that are new in the collection. */
  passages: number;
  /** Documents that brought a new passage. */
  documents: number;
  /** Documents that were not added, each with the reason. */
  refused: { name: string; problem: string }[];
  /** Documents with pages without text, which are probably scanned. */
  scanned: { name: string; pages: number }[];
  /** What documents contain and their passages do not, one sentence each. */
  warnings: string[];
  /** What to do about documents of the collection of which another text is read now. */
  remark: string | null;
}

function entries(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : [];
}

/** Read the result of an ingest job. */
export function reportOf(result: Record<string, unknown> | null | undefined): IngestReport {
  const remark = typeof result?.remark === "string" ? result.remark : null;
  const report: IngestReport = { passages: 0, documents: 0, refused: [], scanned: [], warnings: [], remark };
  for (const { name, passages_added: added, pages_without_text: pages, warnings, problem } of entries(
    result?.documents,
  )) {
    if (Array.isArray(warnings)) report.warnings.push(...warnings.filter((each) => typeof each === "string"));
    if (typeof problem === "string") report.refused.push({ name: String(name), problem });
    if (typeof pages === "number" && pages > 0) report.scanned.push({ name: String(name), pages });
    if (typeof added === "number" && added > 0) {
      report.passages += added;
      report.documents += 1;
    }
  }
  return report;
}

/** The chosen files that were refused: the others are in the collection. All where the names are those of no file. */
export function leftOf<Chosen extends { name: string }>(
  files: Chosen[],
  { refused }: IngestReport,
): Chosen[] {
  const names = new Set(refused.map(({ name }) => name));
  const left = files.filter(({ name }) => names.has(name));
  return left.length > 0 || names.size === 0 ? left : files;
}
