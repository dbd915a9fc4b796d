/** The Merkle tree of RFC 6962 over SHA-256. */
import { type Bytes, joined, sha256 } from "./bytes";

const LEAF = new Uint8Array([0]);
const NODE = new Uint8Array([1]);

export function leafOf(data: Uint8Array): Promise<Bytes> {
  return sha256(joined(LEAF, data));
}

/** The root over leaves; of none SHA-256 of nothing. */
export async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  const [first, ...others] = leaves;
  if (first === undefined) return sha256(new Uint8Array());
  if (others.length === 0) return first;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  const halves = await Promise.all([rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left))]);
  return sha256(joined(NODE, ...halves));
}
