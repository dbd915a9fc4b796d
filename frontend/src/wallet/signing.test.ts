import { expect, test } from "vitest";
import { Problem } from "@/api/problem";
import { Cancelled } from "./refusal";
import type { Review } from "./review";
import { prepared } from "./sample";
import { type Phase, type SigningCallbacks, signAll } from "./signing";

const REVIEW = { id: "1", rows: 50 } as Review;

/** A server with so many entries, a willing user and a willing wallet; what differs is given. */
function hands(waiting: number, other: Partial<SigningCallbacks> = {}) {
  let left = waiting;
  const done: string[] = [];
  const given: SigningCallbacks = {
    async prepare() {
      const entries = Math.min(50, left);
      return { ...prepared(), entries, waiting: left - entries };
    },
    look: () => REVIEW,
    agrees: async () => true,
    sign: async () => ["SIG"],
    async send({ entries }) {
      left -= entries;
      done.push(`sent ${entries}`);
      return entries;
    },
    async drop() {
      done.push("dropped");
    },
    isStopped: () => false,
    tell: ({ kind }: Phase) => done.push(kind),
    ...other,
  };
  return { given, done };
}

const refuses = (status: number) => async () => {
  throw new Problem(status, "Refused", "The server says why.");
};

test("fifty after fifty are signed until nothing waits; the user is asked once", async () => {
  const { given, done } = hands(120);
  expect(await signAll(given)).toEqual({ kind: "done", progress: { done: 120, total: 120 } });
  expect(done.filter((step) => step.startsWith("sent"))).toEqual(["sent 50", "sent 50", "sent 20"]);
  expect(done.filter((step) => step === "review")).toHaveLength(1);
});

test("a stop ends after the transaction that is under way", async () => {
  const { given } = hands(120, { isStopped: () => true });
  expect(await signAll(given)).toEqual({ kind: "stopped", progress: { done: 50, total: 120 } });
});

test("who declines here, or in the wallet, gives the prepared transaction back", async () => {
  const declined = hands(3, { agrees: async () => false });
  expect((await signAll(declined.given)).kind).toBe("cancelled");
  expect(declined.done).toEqual(["preparing", "review", "dropped"]);
  const closed = hands(3, { sign: () => Promise.reject(new Cancelled()) });
  expect((await signAll(closed.given)).kind).toBe("cancelled");
  expect(closed.done).toEqual(["preparing", "review", "signing", "dropped"]);
});

test("what the server refuses is given back; what it keeps is not", async () => {
  const refused = hands(3, { send: refuses(403) });
  expect(await signAll(refused.given)).toMatchObject({ kind: "failed", error: { status: 403 } });
  expect(refused.done.at(-1)).toBe("dropped");
  const kept = hands(3, { send: refuses(503) });
  expect(await signAll(kept.given)).toMatchObject({ kind: "kept", error: { status: 503 } });
  expect(kept.done).not.toContain("dropped");
  const unsure = hands(3, { send: refuses(0) });
  expect(await signAll(unsure.given)).toMatchObject({ kind: "failed", error: { status: 0 } });
  expect(unsure.done).not.toContain("dropped");
});
