/**
 * The offline part of `passer verify` once more, written from docs/bundle.md alone: it shares no code with the server,
 * asks nobody, and needs nothing but the bytes of a bundle.
 */
import type { Bytes } from "./bytes";
import { checkLedger } from "./ledger-check";
import type { Pause } from "./members";
import { placedOf } from "./placed";
import { type Bundle, readBundle } from "./reading";
import { checkRun } from "./run-check";
import { STEPS, STUDY_STEPS, type StepName, Steps, type Verification } from "./steps";
import { checkStudy, type VerifyRun } from "./study";
import { isStudy, studyNames } from "./study/form";
import { checkVerdict } from "./verdict-check";
import { isZip, type Members, type ReadZip, readZip, VERDICT } from "./zip";

export { canDigest } from "./bytes";
export {
  CHAIN_STEPS,
  type Failure,
  type Gap,
  STEPS,
  STUDY_STEPS,
  type Step,
  type StepName,
  type Verification,
} from "./steps";
export type { StudyConclusion, StudyResult, VerifiedStudy } from "./study/result";

/** Every step, in order; null where the bytes are neither a bundle nor a study. */
export async function verify(data: Bytes, pause: Pause = async () => {}): Promise<Verification | null> {
  if (!isZip(data)) return null;
  return isStudy(data) ? verifyStudy(data, pause) : (await verifyRun(data, pause)).found;
}

type Found = Omit<Verification, "verdict" | "steps" | "unconfirmed" | "study">;
const NOTHING: Found = {
  run_id: null,
  run_digest: null,
  config_digest: null,
  questions_root: null,
  questions: 0,
};

function verification(steps: Steps, found: Partial<Verification>): Verification {
  const verdict = steps.done.some(({ outcome }) => outcome === "fail") ? "not verified" : "verified";
  return { ...NOTHING, study: null, ...found, verdict, steps: steps.done, unconfirmed: null };
}

/** Adds the step `zip`; where the members cannot be found, nothing else is checked. */
function checkZip(steps: Steps, { members, flaw }: ReadZip, others: readonly StepName[]): void {
  if (!flaw) steps.passed("zip", String(Object.keys(members ?? {}).length));
  else
    steps.failed("zip", { why: flaw.why, facts: flaw.member ? [flaw.member] : [] }, { member: flaw.member });
  for (const name of members ? [] : others) steps.skipped(name, "absent");
}

async function verifyRun(
  data: Bytes,
  pause: Pause,
  see?: Parameters<typeof readBundle>[3],
): Promise<{ found: Verification; bundle: Bundle | null }> {
  const steps = new Steps();
  const read = readZip(data);
  checkZip(steps, read, STEPS.slice(1));
  if (!read.members) return { found: verification(steps, {}), bundle: null };
  const members = read.members as Members;
  const bundle = await readBundle(members, steps, pause, see);
  await checkRun(bundle);
  await checkVerdict(bundle, members[VERDICT], pause);
  await checkLedger(bundle);
  const { manifest, records, runDigest } = bundle;
  const found = verification(steps, {
    run_id: manifest.value?.run.id ?? null,
    run_digest: runDigest,
    config_digest: manifest.value?.config_digest ?? null,
    questions_root: records.leaves.length > 0 ? records.root : null,
    questions: records.records.length,
  });
  return { found, bundle };
}

async function verifyStudy(data: Bytes, pause: Pause): Promise<Verification> {
  const steps = new Steps();
  const read = readZip(data, [studyNames(data)]);
  checkZip(steps, read, STUDY_STEPS.slice(1));
  if (!read.members) return verification(steps, {});
  const ofRun: VerifyRun = async (content, records) => {
    const { found, bundle } = await verifyRun(content, pause, (record) => records.see(record));
    const manifest = bundle?.manifest.value;
    if (found.verdict !== "verified" || !bundle || !manifest) return { found, facts: null };
    const rows = bundle.entry.value ? placedOf(bundle.entry.value).map(({ receipt }) => receipt) : [];
    return { found, facts: { manifest, runDigest: bundle.runDigest, timings: bundle.timings.timings, rows } };
  };
  return verification(steps, await checkStudy(read.members, steps, ofRun, pause));
}
