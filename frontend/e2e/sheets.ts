import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PYTHON, ROOT } from "./server";

const PROGRAM = `
import sys, zipfile
from pathlib import Path
from tests.result_sheets import row_of, write_sheet
folder = Path(sys.argv[1])
factor = float(sys.argv[2])
model = sys.argv[3]
gains = {"0.01": 0.0, "0.4": 0.05, "0.5": 0.2, "0.6": -0.1}
for threshold, gain in gains.items():
    rows = [row_of(f"question {n}?", 0.3 + factor * (0.02 * n + gain * (1 + n % 3 / 3)), number=n) for n in range(14)]
    if threshold == "0.6":
        rows.append(row_of("question 3?", 0.4, number=99))
    write_sheet(folder / model / f"threshold_{threshold}.xlsx", rows)
with zipfile.ZipFile(folder / "study.zip", "w") as archive:
    for path in sorted(folder.glob("*/*.xlsx")):
        archive.write(path, path.relative_to(folder))
`;

/**
 * A zip of result sheets of one model, baseline and three thresholds; one sheet holds a question twice.
 * A smaller `factor` makes all scores lie nearer together.
 */
export function studyArchive(factor = 1, model = "mistral"): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "passer-sheets-"));
  try {
    execFileSync(PYTHON, ["-c", PROGRAM, folder, String(factor), model], { cwd: ROOT });
    return readFileSync(join(folder, "study.zip"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
