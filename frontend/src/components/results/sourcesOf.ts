import type { ConfigurationResult, ImportDetail } from "@/api/types";
import { ofChange, ofRun, ofSheet } from "./goals";
import type { QuestionSource } from "./questionSources";

/** The configurations of a sweep, each with its first run. */
export function sourcesOfSweep(configurations: readonly ConfigurationResult[]): QuestionSource[] {
  return configurations.flatMap((row) => {
    const [run] = row.run_ids;
    if (run === undefined) return [];
    const base = configurations.find(({ is_baseline, model }) => is_baseline && model === row.model);
    const baseline = row.comparison ? base?.run_ids[0] : undefined;
    return [
      {
        model: row.model,
        name: row.name,
        threshold: row.threshold ?? null,
        isBaseline: row.is_baseline,
        questions: ofRun(run),
        changed: baseline && baseline !== run ? ofChange(run, baseline) : undefined,
        failed: row.n_failed > 0 ? ofRun(run, "failed") : undefined,
      },
    ];
  });
}

/** The sheets of an import, one a configuration. */
export function sourcesOfSheets(id: string, sheets: ImportDetail["audit"]["sheets"]): QuestionSource[] {
  return sheets.map(({ path, model, threshold }) => ({
    model,
    name: null,
    threshold: threshold ?? null,
    isBaseline: threshold == null,
    questions: ofSheet(id, path),
  }));
}
