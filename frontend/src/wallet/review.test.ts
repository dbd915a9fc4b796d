import { expect, test } from "vitest";
import { Refusal } from "./refusal";
import { reviewed } from "./review";
import { CHAIN, prepared, SIGNER } from "./sample";

function whyNot(...given: Parameters<typeof reviewed>): string {
  try {
    reviewed(...given);
  } catch (error) {
    if (error instanceof Refusal) return error.why;
    throw error;
  }
  return "signed";
}

/** The same text with one hex digit changed. */
function changed(hex: string, place: number): string {
  const digit = hex[place] === "0" ? "1" : "0";
  return hex.slice(0, place) + digit + hex.slice(place + 1);
}

test("what is signed is read from the transaction's own bytes", () => {
  const given = prepared();
  expect(reviewed(given, CHAIN, SIGNER)).toMatchObject({
    id: given.id,
    account: "researcher1",
    contract: "llmtest",
    rows: 3,
    runs: [
      { run: "aaaa", rows: 2 },
      { run: "bbbb", rows: 1 },
    ],
  });
});

test("a digit changed anywhere is found: in the id, in the bytes, in the data of a row", () => {
  const given = prepared();
  expect(whyNot({ ...given, id: changed(given.id, 5) }, CHAIN, SIGNER)).toBe("other_id");
  for (const place of [0, 30, given.packed.length - 1]) {
    expect(whyNot({ ...given, packed: changed(given.packed, place) }, CHAIN, SIGNER)).toBe("other_id");
  }
  const other = structuredClone(given);
  const [, row] = other.transaction.actions;
  if (!row) throw new Error("no row");
  row.data = changed(row.data, row.data.length - 1);
  expect(whyNot(other, CHAIN, SIGNER)).toBe("other_id");
});

test.each([
  [{ creator: "researcher2" }, "other_creator"],
  [{ actor: "researcher2" }, "other_signer"],
  [{ account: "stranger" }, "other_contract"],
  [{ expires: new Date(Date.now() - 1000) }, "too_late"],
])("a transaction with %j is not signed: %s", (sample, why) => {
  expect(whyNot(prepared(sample), CHAIN, SIGNER)).toBe(why);
});

test("a transaction for another chain, or one that nobody can read, is not signed", () => {
  expect(whyNot({ ...prepared(), chain_id: "00".repeat(32) }, CHAIN, SIGNER)).toBe("other_chain");
  const blind = { ...CHAIN, abi: { version: "eosio::abi/1.1", types: [], structs: [], actions: [] } };
  expect(whyNot(prepared(), blind, SIGNER)).toBe("not_read");
});
