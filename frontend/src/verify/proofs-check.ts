/** The steps `checkpoint` and `stamps`: what a ledger and a time stamp authority signed about a bundle or a study. */
import { type Bytes, decoded, digestOf, encoded } from "./bytes";
import { headOf, isIncluded, keyOf, proofOf } from "./checkpoint";
import type { EntryDocument } from "./forms";
import { ENTRY, type Placed } from "./placed";
import type { Proofs, Subject } from "./reading";
import type { Failure, Steps, Violation } from "./steps";
import { readTimeStamp } from "./time-stamp";
import { CHECKPOINT_STAMP, KEY, PROOF, STAMP } from "./zip";

const STAMPS: readonly string[] = [CHECKPOINT_STAMP, STAMP];
/** Bytes of a member with a proof. */
const LARGEST = 1 << 20;

type Held = [Violation, string];

/** The members of a file that others signed, with the one whose digest is recorded and stamped. */
export function proofsAmong(members: Readonly<Record<string, Bytes | undefined>>, subject: string): Proofs {
  const held: [string, Bytes][] = [KEY, PROOF, ...STAMPS].flatMap((name) => {
    const content = members[name];
    return content ? [[name, content.subarray(0, LARGEST + 1)] as [string, Bytes]] : [];
  });
  return { members: new Map(held), subject, content: members[subject] as Bytes };
}

export async function checkProofs(
  { steps, proofs }: Subject,
  document: EntryDocument | null,
  placed: Placed[],
): Promise<void> {
  if (!document) steps.skipped("checkpoint", "entry_unreadable");
  else await checkCheckpoint(steps, proofs, document, placed);
  await checkStamps(steps, proofs, document);
}

/** The first member that is missing, or not the one whose digest entry.json states: of time stamps, or of the others. */
async function unlisted(
  { members }: Proofs,
  document: EntryDocument,
  ofStamps: boolean,
): Promise<Held | null> {
  const stated = document.proofs ?? {};
  for (const name of [...new Set([...Object.keys(stated), ...members.keys()])].sort()) {
    if (STAMPS.includes(name) !== ofStamps) continue;
    const content = members.get(name);
    if (!content) return [{ why: "no_proof_member", facts: [name], field: `proofs.${name}` }, ENTRY];
    if ((await digestOf(content)) !== stated[name]) return [{ why: "other_proof_digest" }, name];
  }
  return null;
}

async function checkCheckpoint(
  steps: Steps,
  proofs: Proofs,
  document: EntryDocument,
  placed: Placed[],
): Promise<void> {
  const [key, proof] = [proofs.members.get(KEY), proofs.members.get(PROOF)];
  const wrong = await unlisted(proofs, document, false);
  if (wrong) steps.failed("checkpoint", wrong[0], { member: wrong[1] });
  else if (!key && !proof) steps.skipped("checkpoint", "no_proof");
  else {
    const found = key && proof ? await shown(key, proof, placed) : "half_a_proof";
    if (typeof found === "string") steps.failed("checkpoint", { why: found }, { member: PROOF });
    else if (found.isSigned === null) steps.skipped("checkpoint", "ed25519_unknown", ...found.facts);
    else steps.passed("checkpoint", ...found.facts);
  }
}

/** The head of the ledger that the row of the file was in: name, rows, key; or why the proof does not show it. */
async function shown(
  keyMember: Bytes,
  proofMember: Bytes,
  placed: Placed[],
): Promise<{ isSigned: boolean | null; facts: string[] } | Failure> {
  if (Math.max(keyMember.length, proofMember.length) > LARGEST) return "not_of_form";
  const [keyText, proofText] = [decoded(keyMember), decoded(proofMember)];
  if (keyText === null || proofText === null) return "not_utf8";
  const [key, proof] = [await keyOf(keyText), proofOf(proofText)];
  if (!key || !proof) return "not_of_form";
  const row = placed.find(({ path }) => path === "run")?.receipt.place;
  if (row?.kind !== "local" || BigInt(row.sequence) !== proof.index + 1n) return "proof_of_other";
  const read = await headOf(proof.note, key);
  if (typeof read === "string") return read;
  if (read.isSigned === false) return "checkpoint_unsigned";
  if (!(await isIncluded(row.digest, proof, read.head))) return "not_included";
  return { isSigned: read.isSigned, facts: [read.head.origin, String(read.head.size), keyText.trim()] };
}

async function checkStamps(steps: Steps, proofs: Proofs, document: EntryDocument | null): Promise<void> {
  const wrong = document && (await unlisted(proofs, document, true));
  const held = STAMPS.filter((name) => proofs.members.has(name));
  if (wrong) {
    steps.failed("stamps", wrong[0], { member: wrong[1] });
    return;
  }
  const facts: string[] = [];
  let isSigned = true;
  for (const name of held) {
    const content = stampedBy(proofs, name);
    const found = content
      ? await readTimeStamp(proofs.members.get(name) as Bytes, content)
      : ("no_stamped_checkpoint" as const);
    if (typeof found === "string") {
      steps.failed("stamps", { why: found }, { member: name });
      return;
    }
    isSigned &&= found.isSigned;
    facts.push(`${name === STAMP ? proofs.subject : "checkpoint"}: ${found.at} UTC, ${found.authority}`);
  }
  if (held.length === 0) steps.skipped("stamps", "no_stamp");
  else steps.skipped("stamps", isSigned ? "authority_unknown" : "stamp_kind_unknown", facts.join("; "));
}

/** What a stamp is of; null for a checkpoint that is missing. */
function stampedBy({ members, content }: Proofs, name: string): Bytes | null {
  if (name === STAMP) return content;
  const text = decoded(members.get(PROOF) ?? new Uint8Array());
  const end = text?.indexOf("\n\n") ?? -1;
  return text === null || end < 0 ? null : encoded(text.slice(end + 2));
}
