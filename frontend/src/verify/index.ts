/**
 * The offline part of `passer verify` once more, written from docs/bundle.md alone: it shares no code with the server,
 * asks nobody, and needs nothing but the bytes of a bundle.
 */
import type { Bytes } from "./bytes";
import { checkLedger } from "./ledger-check";
import type { Pause } from "./members";
import { readBundle } from "./reading";
import { checkRun } from "./run-check";
import type { Verification } from "./steps";
import { isZip } from "./zip";

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
  const bundle = await readBundle(data, pause);
  await checkRun(bundle);
  await checkLedger(bundle);
  const { manifest, records, steps } = bundle;
  return {
    verdict: steps.done.some(({ outcome }) => outcome === "fail") ? "not verified" : "verified",
    run_id: manifest?.value?.run.id ?? null,
    run_digest: manifest?.digest ?? null,
    config_digest: manifest?.value?.config_digest ?? null,
    questions_root: records.leaves.length > 0 ? records.root : null,
    questions: records.records.length,
    steps: steps.done,
  };
}
