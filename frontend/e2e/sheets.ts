import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, expect } from "@playwright/test";
import { PYTHON, ROOT } from "./server";

const PROGRAM = `
import sys, zipfile
from pathlib import Path
from tests.result_sheets import LEADING, header, row_of, write_sheet
folder = Path(sys.argv[1])
factor = float(sys.argv[2])
model, metrics = sys.argv[3], int(sys.argv[4])
gains = {"0.01": 0.0, "0.4": 0.05, "0.5": 0.2, "0.6": -0.1}
for threshold, gain in gains.items():
    rows = [row_of(f"question {n}?", 0.3 + factor * (0.02 * n + gain * (1 + n % 3 / 3)), number=n) for n in range(14)]
    if threshold == "0.6":
        rows.append(row_of("question 3?", 0.4, number=99))
    width = len(LEADING) + metrics
    columns = header()[:width]
    write_sheet(folder / model / f"threshold_{threshold}.xlsx", [row[:width] for row in rows], columns=columns)
with zipfile.ZipFile(folder / "study.zip", "w") as archive:
    for path in sorted(folder.glob("*/*.xlsx")):
        archive.write(path, path.relative_to(folder))
`;

/**
 * A zip of result sheets of one model, baseline and three thresholds; one sheet holds a question twice.
 * A smaller `factor` makes all scores lie nearer together; the sheets of the pilot have 16 metrics.
 */
export function studyArchive(factor = 1, model = "mistral", metrics = 24): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "passer-sheets-"));
  try {
    execFileSync(PYTHON, ["-c", PROGRAM, folder, String(factor), model, String(metrics)], { cwd: ROOT });
    return readFileSync(join(folder, "study.zip"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Study {
  factor?: number;
  model?: string;
  /** The dataset that the sheets are checked against. */
  dataset?: string;
}

/** An import of the made-up study, audited; its id. */
export async function importStudy(
  request: APIRequestContext,
  name: string,
  { factor = 1, model, dataset }: Study = {},
): Promise<string> {
  const answer = await request.post("/api/v1/imports", {
    multipart: {
      name,
      ...(dataset ? { dataset } : {}),
      files: { name: "study.zip", mimeType: "application/zip", buffer: studyArchive(factor, model) },
    },
  });
  const job = `/api/v1/jobs/${(await answer.json()).job_id}`;
  let id = "";
  await expect
    .poll(async () => (id = (await (await request.get(job)).json()).result?.id ?? ""), { timeout: 60_000 })
    .toMatch(/^sheets-/);
  return id;
}
