import { expect, test } from "vitest";
import { commandsOf } from "./PartsPanel";

test.each([
  ["ollama serve (then: ollama pull mistral:7b)", ["ollama serve", "ollama pull mistral:7b"]],
  ["export PASSER_CHAIN_URL=http://127.0.0.1:8888", ["export PASSER_CHAIN_URL=http://127.0.0.1:8888"]],
  ["run (this)", ["run (this)"]],
])("the commands of %j", (text, commands) => {
  expect(commandsOf(text)).toEqual(commands);
});
