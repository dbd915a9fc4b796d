/** Entries are signed fifty at a time, until none waits or the user stops. */
import { Problem } from "@/api/problem";
import { Cancelled } from "./refusal";
import type { Review } from "./review";
import type { Prepared } from "./types";

/** What signing needs of the server, the wallet and the user. */
export interface SigningCallbacks {
  prepare(): Promise<Prepared>;
  /** What is in it; it throws for what must not be signed. */
  look(prepared: Prepared): Review;
  /** Whether the user wants to; asked once, before the first transaction. */
  agrees(): Promise<boolean>;
  sign(prepared: Prepared): Promise<string[]>;
  /** How many entries are on the chain by it. */
  send(prepared: Prepared, signatures: string[]): Promise<number>;
  drop(prepared: Prepared): Promise<unknown>;
  isStopped(): boolean;
  tell(phase: Phase): void;
}

interface Progress {
  /** Entries that are on the chain by now. */
  done: number;
  /** Entries that were to be signed at the start. */
  total: number;
}

export type Phase =
  | { kind: "preparing"; progress: Progress }
  | { kind: "review" | "signing" | "sending"; progress: Progress; review: Review; later: number }
  | { kind: "done" | "stopped" | "cancelled"; progress: Progress }
  /** `kept`: the chain is away, and the server sends what was signed as soon as it can. */
  | { kind: "failed" | "kept"; progress: Progress; error: unknown };

const UNAVAILABLE = 503;

class Kept extends Error {
  constructor(readonly problem: Problem) {
    super();
  }
}

const unwrapped = (error: unknown) => (error instanceof Kept ? error.problem : error);

/** Refused for good: the server holds nothing of it, so another account may have the entries. */
const isRefused = (error: unknown) => error instanceof Problem && [403, 422].includes(error.status);

/** How it ends; whatever goes wrong, no entry is lost: it waits, or the server holds what was signed. */
export async function signAll(hands: SigningCallbacks): Promise<Phase> {
  const progress = { done: 0, total: 0 };
  try {
    for (;;) {
      hands.tell({ kind: "preparing", progress: { ...progress } });
      const prepared = await hands.prepare();
      progress.total ||= prepared.entries + prepared.waiting;
      progress.done += await signed(hands, prepared, progress);
      if (prepared.waiting === 0) return { kind: "done", progress };
      if (hands.isStopped()) return { kind: "stopped", progress };
    }
  } catch (error) {
    if (error instanceof Cancelled) return { kind: "cancelled", progress };
    return { kind: error instanceof Kept ? "kept" : "failed", progress, error: unwrapped(error) };
  }
}

async function signed(hands: SigningCallbacks, prepared: Prepared, progress: Progress): Promise<number> {
  let signatures: string[];
  try {
    const phase = { progress: { ...progress }, review: hands.look(prepared), later: prepared.waiting };
    if (progress.done === 0) {
      hands.tell({ kind: "review", ...phase });
      if (!(await hands.agrees())) throw new Cancelled();
    }
    hands.tell({ kind: "signing", ...phase });
    signatures = await hands.sign(prepared);
    hands.tell({ kind: "sending", ...phase });
  } catch (error) {
    await hands.drop(prepared);
    throw error;
  }
  try {
    return await hands.send(prepared, signatures);
  } catch (error) {
    if (isRefused(error)) await hands.drop(prepared);
    if (error instanceof Problem && error.status === UNAVAILABLE) throw new Kept(error);
    throw error;
  }
}
