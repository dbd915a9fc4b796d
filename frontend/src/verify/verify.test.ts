// @vitest-environment node
import * as v from "valibot";
import { expect, test } from "vitest";
import { actionsOf, NotPacked } from "./antelope";
import { encoded, hex } from "./bytes";
import { canonical, readCanonical } from "./canonical";
import { meansOf, vectorOf } from "./figures";
import { COLUMNS, MODEL_TIMES, questionForm } from "./forms";
import { verify } from "./index";
import { csvCell, readNoted } from "./members";
import { leafOf, rootOf } from "./merkle";
import { STEPS } from "./steps";
import { crc32 } from "./zip";

const read = (text: string) => readCanonical(encoded(text));

test.each([
  '{"a":1,"b":[true,null,"é\\n"]}',
  "[]",
  "0",
  "1e-7",
  "1e+21",
  "333333333.3333333",
  '"\\u001f\u2028"',
  // The example of RFC 8785, section 3.2.3: the order is that of UTF-16.
  '{"\\r":1,"1":2,"\u0080":3,"ö":4,"€":5,"😀":6,"\ufb33":7}',
])("%s is canonical, and is written so", (text) => {
  const found = read(text);
  expect(found).toHaveProperty("value");
  expect(canonical("value" in found ? found.value : null)).toBe(text);
});

test.each([
  '{"b":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a":[0,1.0]}',
  '{"a":{"b":-0}}',
  '{"a":1E2}',
  '{"a":1e999}',
  '{"a":"\\u0041"}',
  '{"a":"\\ud800"}',
  '{"a":"\\\\\\ud800"}',
  '{"\\udfff":1}',
  '{"a": 1}',
  '{"a":1}\n',
  '\ufeff{"a":1}',
  '{"a":NaN}',
  '{"a":',
  "",
])("%s is not canonical", (text) => {
  expect(read(text)).toEqual({ why: "not_canonical" });
});

test("a backslash before something like a surrogate is a text", () => {
  expect(read('{"a":"\\\\ud800"}')).toEqual({ value: { a: "\\ud800" } });
});

test("bytes that are no UTF-8 are refused", () => {
  const broken = encoded('{"a":1,"b":"x"}').map((byte) => (byte === "x".charCodeAt(0) ? 0xff : byte));
  expect(readCanonical(broken)).toEqual({ why: "not_utf8" });
});

test("nesting has a limit", () => {
  const nested = (levels: number) => read("[".repeat(levels) + "]".repeat(levels));
  expect(nested(65)).toHaveProperty("value");
  for (const levels of [66, 100_000]) expect(nested(levels)).toEqual({ why: "too_deep" });
});

test("a member named like something of JavaScript is a member", () => {
  const text = '{"__proto__":1,"constructor":2,"toString":3}';
  const found = read(text);
  expect("value" in found ? canonical(found.value) : "").toBe(text);
  expect("value" in found && v.is(questionForm, found.value)).toBe(false);
});

const QUESTION = {
  ...{ number: 0, id: "q", question: "?", reference: "r", state: "answered", reason: null, passages: [] },
  ...{ prompt_digest: null, answer: "a", scores: null, missing: {}, notes: {} },
  timings: Object.fromEntries(MODEL_TIMES.map((name) => [name, null])),
};

test.each([
  [{}, true],
  [{ toString: 1 }, false],
  [{ constructor: 1 }, false],
  [{ number: -1 }, false],
  [{ number: 2 ** 53 }, false],
  [{ number: 0.5 }, false],
  [{ state: "failed" }, false],
  [{ state: "failed", answer: null, reason: "why" }, true],
  [{ state: "scored" }, false],
  [{ missing: { BLEU: "no_tokens" } }, false],
  [{ notes: { constructor: "answer_cut_off" } }, false],
  [{ timings: { ...QUESTION.timings, eval_count: 2 ** 53 } }, false],
  [{ timings: { ...QUESTION.timings, eval_count: -1 } }, true],
  [{ searched: ["other words"] }, true],
  [{ searched: [] }, false],
])("a record with %j is of the form: %s", (change, isOfForm) => {
  expect(v.is(questionForm, { ...QUESTION, ...change })).toBe(isOfForm);
});

test("roots are those of RFC 6962", async () => {
  // Test vectors of Certificate Transparency's reference implementation.
  const leaves = await Promise.all(
    ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"].map((data) =>
      leafOf(Uint8Array.from(data.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))),
    ),
  );
  const roots = await Promise.all([1, 2, 3, 7].map(async (n) => hex(await rootOf(leaves.slice(0, n)))));
  expect(roots).toEqual([
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  ]);
});

test("the checksum of a zip is CRC-32", () => {
  expect(crc32(encoded("123456789"))).toBe(0xcbf43926);
});

test("means are plain sums, and what is missing is said by one number more", () => {
  expect(
    meansOf(
      [
        [1, null, Number.MAX_VALUE],
        [2, null, Number.MAX_VALUE],
      ],
      3,
    ),
  ).toEqual([
    { mean: 1.5, n: 2 },
    { mean: null, n: 0 },
    { mean: null, n: 2 },
  ]);
  expect(vectorOf([1, 2])).toEqual([1, 2]);
  expect(vectorOf([null, 2, null, 4])).toEqual([0, 2, 0, 4, 0b1010]);
});

test("a cell of scores.csv is no formula, and is read again", () => {
  const ids = ["plain", "=1+1", 'say "so", twice', "two\nlines", "въпрос"];
  const leaf = "a".repeat(64);
  const rows = ids.map((id, number) => `${number},${csvCell(id)},${leaf},scored,\r\n`).join("");
  const noted = readNoted(encoded(`number,id\r\n${rows}`));
  expect([...noted.values()].map(({ id }) => id)).toEqual(ids);
  expect(csvCell("=1+1")).toBe("'=1+1");
});

test("there are 24 columns", () => {
  expect(new Set(COLUMNS).size).toBe(24);
});

test("bytes that are no transaction are told", () => {
  expect(() => actionsOf("00".repeat(12))).toThrow(NotPacked);
});

test("what is no bundle is told apart from a broken one", async () => {
  expect(await verify(encoded("a text"))).toBeNull();
  const cut = await verify(Uint8Array.from([0x50, 0x4b, 3, 4, 0]));
  expect(cut?.verdict).toBe("not verified");
  expect(cut?.steps.map(({ name }) => name)).toEqual(STEPS);
  expect(cut?.steps[0]).toMatchObject({ name: "zip", outcome: "fail", why: "zip_members" });
});
