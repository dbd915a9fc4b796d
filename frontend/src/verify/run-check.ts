/** What a bundle shows of its run: each step holds one member against what follows from the others. */
import { type Bytes, digestOf, encoded, isSame } from "./bytes";
import { canonical } from "./canonical";
import { countsOf, meansOf, scoresOf } from "./figures";
import { COLUMNS, type Manifest, type QuestionRecord } from "./forms";
import { csvCell } from "./members";
import { type Bundle, failAt } from "./reading";
import type { StepName } from "./steps";

const HEADER = encoded(`number,id,leaf,state,${COLUMNS.join(",")}\r\n`);

function blameManifest({ steps }: Bundle, name: StepName, path: string): void {
  const wrong = { why: "does_not_follow", facts: [path], field: path } as const;
  steps.failed(name, wrong, { member: "manifest.json" });
}

/** Everything about the run itself, in order. */
export async function checkRun(bundle: Bundle): Promise<void> {
  const { manifest, steps } = bundle;
  checkManifest(bundle);
  checkQuestions(bundle);
  if (manifest.value) {
    checkRoot(bundle, manifest.value);
    await checkConfig(bundle, manifest.value);
    await checkCollection(bundle, manifest.value);
    checkCounts(bundle, manifest.value);
    checkMeans(bundle, manifest.value);
  } else {
    for (const name of ["root", "config", "collection", "counts", "means"] as const) {
      steps.skipped(name, "manifest_unreadable");
    }
  }
  checkScores(bundle);
  checkTimings(bundle);
  await checkSeen(bundle);
}

function checkManifest({ steps, manifest, runDigest, changed }: Bundle): void {
  const member = "manifest.json";
  if (manifest.wrong) steps.failed("manifest", manifest.wrong, { member });
  else if (changed[0] !== undefined) {
    const wrong = { why: "sealed_otherwise", facts: [changed.join(", ")], field: changed[0] } as const;
    steps.failed("manifest", wrong, { member });
  } else steps.passed("manifest", runDigest);
}

function checkQuestions(bundle: Bundle): void {
  const { steps, records } = bundle;
  const [first, ...others] = records.wrong;
  if (first) failAt(bundle, "questions", "questions.jsonl", first, others.length);
  else steps.passed("questions", String(records.records.length));
}

function checkRoot(bundle: Bundle, manifest: Manifest): void {
  const { steps, records, changed } = bundle;
  if (records.root === manifest.questions_root && !records.hasTexts) {
    steps.skipped("root", "leaves_stated");
  } else if (records.root === manifest.questions_root) {
    steps.passed("root", manifest.questions_root, String(records.leaves.length));
  } else if (changed.includes("questions_root")) {
    blameManifest(bundle, "root", "questions_root");
  } else {
    const number = firstOtherLeaf(bundle);
    if (number === null) {
      const wrong = { why: "other_root", field: "questions_root" } as const;
      steps.failed("root", wrong, { member: "manifest.json" });
    } else failAt(bundle, "root", "questions.jsonl", { why: "other_leaf", number });
  }
}

/** Number of the first question whose leaf is not the one in scores.csv. */
function firstOtherLeaf({ records, noted }: Bundle): number | null {
  for (let number = 0; number < Math.max(records.leaves.length, noted.size); number++) {
    const leaf = noted.get(number)?.leaf;
    if (leaf === undefined || leaf !== records.leaves[number]) return number;
  }
  return null;
}

async function checkConfig(bundle: Bundle, manifest: Manifest): Promise<void> {
  if ((await digestOf(canonical(manifest.config))) === manifest.config_digest) {
    bundle.steps.passed("config", manifest.config_digest);
  } else blameManifest(bundle, "config", bundle.changed.includes("config") ? "config" : "config_digest");
}

async function checkCollection(bundle: Bundle, { collection: found }: Manifest): Promise<void> {
  if (found === null) {
    bundle.steps.skipped("collection", "collection_unknown");
    return;
  }
  const { documents, chunking, embedding } = found;
  const isOrdered = documents.every((document, place) => {
    const before = documents[place - 1];
    if (!before) return true;
    const order = byCharacters(before.name, document.name) || byCharacters(before.digest, document.digest);
    return order <= 0;
  });
  const digest = await digestOf(canonical({ chunking, documents, embedding }));
  if (isOrdered && digest === found.digest) {
    bundle.steps.passed("collection", String(documents.length), digest);
  } else blameManifest(bundle, "collection", "collection");
}

/** Texts in the order of their characters, not of their UTF-16. */
function byCharacters(one: string, other: string): number {
  const left = [...one];
  const right = [...other];
  for (const [place, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[place]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function checkCounts(bundle: Bundle, manifest: Manifest): void {
  if (!bundle.records.whole) {
    bundle.steps.skipped("counts", "record_broken");
    return;
  }
  const { counts } = manifest;
  const follows = countsOf(bundle.records.whole);
  const names = ["asked", "answered", "scored", "failed"] as const;
  const other = names.find((name) => counts[name] !== follows[name]);
  if (other) blameManifest(bundle, "counts", `counts.${other}`);
  else if (canonical(counts.reasons) !== canonical(follows.reasons)) {
    blameManifest(bundle, "counts", "counts.reasons");
  } else if (manifest.dataset.questions !== follows.asked) {
    blameManifest(bundle, "counts", "dataset.questions");
  } else bundle.steps.passed("counts", String(follows.asked));
}

function checkMeans(bundle: Bundle, manifest: Manifest): void {
  if (!bundle.records.whole) {
    bundle.steps.skipped("means", "record_broken");
    return;
  }
  const scored = bundle.records.whole.filter(({ scores }) => scores !== null);
  const follow = meansOf(
    scored.map(({ scores }) => scoresOf(scores)),
    COLUMNS.length,
  );
  const isComplete =
    Object.keys(manifest.means).length === COLUMNS.length &&
    COLUMNS.every((column) => Object.hasOwn(manifest.means, column));
  if (!isComplete) {
    blameManifest(bundle, "means", "means");
    return;
  }
  const other = COLUMNS.find((column, place) => {
    const [stated, real] = [manifest.means[column], follow[place]];
    return stated?.mean !== real?.mean || stated?.n !== real?.n;
  });
  if (other) blameManifest(bundle, "means", `means.${other}`);
  else bundle.steps.passed("means", String(COLUMNS.length));
}

function checkScores(bundle: Bundle): void {
  const { steps, records, scores } = bundle;
  if (!records.whole) {
    steps.skipped("scores", "record_broken");
    return;
  }
  if (!isSame(scores.subarray(0, HEADER.length), HEADER)) {
    steps.failed("scores", { why: "other_header" }, { member: "scores.csv" });
    return;
  }
  let end = HEADER.length;
  for (const [number, record] of records.whole.entries()) {
    const row = rowOf(record, records.leaves[number] ?? "");
    if (!isSame(scores.subarray(end, end + row.length), row)) {
      failAt(bundle, "scores", "scores.csv", { why: "other_row", number });
      return;
    }
    end += row.length;
  }
  if (end === scores.length) steps.passed("scores", String(records.whole.length));
  else failAt(bundle, "scores", "scores.csv", { why: "too_many_rows", number: records.whole.length });
}

function rowOf({ number, id, state, scores }: QuestionRecord, leaf: string): Bytes {
  const numbers = scoresOf(scores).map((value) => (value === null ? "" : String(value)));
  return encoded(`${[number, csvCell(id), leaf, state, ...numbers].join(",")}\r\n`);
}

function checkTimings(bundle: Bundle): void {
  const { steps, timings, changed } = bundle;
  const member = "timings.jsonl";
  const [first, ...others] = timings.wrong;
  const manifest = bundle.manifest.value;
  if (first) failAt(bundle, "timings", member, first, others.length);
  else if (!manifest) steps.skipped("timings", "timings_undigested");
  else if (timings.digest === manifest.timings_digest) steps.passed("timings", timings.digest);
  else if (changed.includes("timings_digest")) blameManifest(bundle, "timings", "timings_digest");
  else steps.failed("timings", { why: "other_digest" }, { member });
}

/** What every record was compared with while it was read. */
async function checkSeen(bundle: Bundle): Promise<void> {
  const { steps, seeing, records } = bundle;
  if (!seeing || !records.whole) {
    for (const name of ["dataset", "plausible", "rescored"] as const) {
      steps.skipped(name, seeing ? "record_broken" : "manifest_unreadable");
    }
    return;
  }
  if (!records.hasTexts) steps.skipped("dataset", "texts_withheld");
  else if (await seeing.dataset.follows()) steps.passed("dataset", String(records.whole.length));
  else steps.skipped("dataset", "dataset_unknown");
  const { wrong } = seeing.plausibility;
  if (!wrong) steps.passed("plausible");
  else failAt(bundle, "plausible", wrong.number == null ? "manifest.json" : "questions.jsonl", wrong);
  steps.skipped("rescored", records.hasTexts ? "not_rescored" : "texts_withheld");
}
