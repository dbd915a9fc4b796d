/** Whether rows of a local ledger have the digests that they name, and link. */
import { digestOf } from "./bytes";
import { canonical } from "./canonical";
import type { LocalPlace } from "./forms";
import { ENTRY, type Placed } from "./placed";
import { failAt, type Subject } from "./reading";

const NOTHING_BEFORE = "0".repeat(64);

function isLocal(item: Placed): item is Placed & { receipt: { place: LocalPlace } } {
  return item.receipt.place.kind === "local";
}

export async function checkLocalLedger(subject: Subject, placed: Placed[]): Promise<void> {
  const local = placed
    .filter(isLocal)
    .sort((one, other) => one.receipt.place.sequence - other.receipt.place.sequence);
  if (local.length === 0) {
    subject.steps.skipped("local_ledger", "on_a_chain");
    return;
  }
  let before: LocalPlace | null = null;
  for (const { path, number, receipt } of local) {
    const { place, entry, recorded_at } = receipt;
    const { previous, sequence } = place;
    const digest = await digestOf(canonical({ entry, previous, recorded_at, sequence }));
    if (digest !== place.digest) {
      failAt(subject, "local_ledger", ENTRY, {
        why: "other_local_digest",
        field: `${path}.place.digest`,
        number,
      });
      return;
    }
    if (!links(place, before)) {
      failAt(subject, "local_ledger", ENTRY, {
        why: "does_not_link",
        field: `${path}.place.previous`,
        number,
      });
      return;
    }
    before = place;
  }
  subject.steps.passed("local_ledger", String(local.length), before?.digest ?? "");
}

function links(place: LocalPlace, before: LocalPlace | null): boolean {
  const follows = before !== null && before.sequence + 1 === place.sequence;
  if (!follows && place.sequence !== 1) return true;
  return place.previous === (follows ? before?.digest : NOTHING_BEFORE);
}
