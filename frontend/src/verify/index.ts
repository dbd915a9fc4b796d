/**
 * The offline part of `passer verify` once more, written from docs/bundle.md alone: it shares no code with the server,
 * asks nobody, and needs nothing but the bytes of a bundle.
 */
import type { Bytes } from "./bytes";
import { checkLedger } from "./ledger-check";
import type { Pause } from "./members";
import { readBundle } from "./reading";
import { checkRun } from "./run-check";
import { STEPS, Steps, type Verification } from "./steps";
import { checkVerdict } from "./verdict-check";
import { isZip, type Members, readZip, VERDICT } from "./zip";

export { canDigest } from "./bytes";
export {
  CHAIN_STEPS,
  type Failure,
  type Gap,
  STEPS,
  type Step,
  type StepName,
  type Verification,
} from "./steps";

/** Every step, in order; null where the bytes are no bundle at all. */
export async function verify(data: Bytes, pause: Pause = async () => {}): Promise<Verification | null> {
  if (!isZip(data)) return null;
  const steps = new Steps();
  const { members, flaw } = readZip(data);
  if (!flaw) steps.passed("zip", String(Object.keys(members ?? {}).length));
  else
    steps.failed("zip", { why: flaw.why, facts: flaw.member ? [flaw.member] : [] }, { member: flaw.member });
  const found = members ? await checkMembers(members, steps, pause) : NOTHING;
  for (const name of members ? [] : STEPS.slice(1)) steps.skipped(name, "absent");
  const isFailed = steps.done.some(({ outcome }) => outcome === "fail");
  return { verdict: isFailed ? "not verified" : "verified", ...found, steps: steps.done, unconfirmed: null };
}

type Found = Omit<Verification, "verdict" | "steps" | "unconfirmed">;
const NOTHING: Found = {
  run_id: null,
  run_digest: null,
  config_digest: null,
  questions_root: null,
  questions: 0,
};

async function checkMembers(members: Members, steps: Steps, pause: Pause): Promise<Found> {
  const bundle = await readBundle(members, steps, pause);
  await checkRun(bundle);
  await checkVerdict(bundle, members[VERDICT], pause);
  await checkLedger(bundle);
  const { manifest, records, runDigest } = bundle;
  return {
    run_id: manifest.value?.run.id ?? null,
    run_digest: runDigest,
    config_digest: manifest.value?.config_digest ?? null,
    questions_root: records.leaves.length > 0 ? records.root : null,
    questions: records.records.length,
  };
}
