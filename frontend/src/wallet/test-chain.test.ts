import { expect, test } from "vitest";
import { isTestChain } from "./test-chain";
import { clock } from "./WalletPrompt";

test.each([
  [["http://127.0.0.1:8888"], "127.0.0.1", true],
  [["http://localhost:8888", "http://[::1]:8889"], "localhost", true],
  [["http://127.0.0.1:8888", "https://eos.example.org"], "127.0.0.1", false],
  [["https://eos.example.org"], "127.0.0.1", false],
  [["http://127.0.0.1:8888"], "passer.example.org", false],
  [["http://127.0.0.1.example.org"], "127.0.0.1", false],
  [["no address"], "127.0.0.1", false],
  [[], "127.0.0.1", false],
])("nodes %j and a page at %s: a key may be typed: %s", (urls, host, may) => {
  expect(isTestChain(urls, host)).toBe(may);
});

test.each([
  [605_000, "10:05"],
  [999, "0:00"],
  [-5000, "0:00"],
])("%d ms are %s", (ms, text) => {
  expect(clock(ms)).toBe(text);
});
