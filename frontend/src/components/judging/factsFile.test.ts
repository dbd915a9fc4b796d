import { expect, test } from "vitest";
import { type Choices, factsOfFile, fileOfFacts, keptFacts } from "./factsFile";

const CHOICES: Choices = {
  "When?": { "In August.": "vital", "At noon.": "drop", 'Said "so".': "okay" },
  "Where?": { "Here.": "drop" },
};

test("a file of key facts has a row for each, and is read as it was written", () => {
  const file = fileOfFacts(CHOICES);
  expect(file.split("\n").slice(0, 2)).toEqual([
    '{"question":"When?","importance":"vital","fact":"In August."}',
    '{"question":"When?","importance":"drop","fact":"At noon."}',
  ]);
  expect(factsOfFile(file)).toEqual(CHOICES);
  expect(factsOfFile(file.replaceAll("\n", "\r\n"))).toEqual(CHOICES);
});

test("dropped facts are left out, and a question of which all are dropped keeps none", () => {
  expect(keptFacts(CHOICES)).toEqual([
    {
      question: "When?",
      facts: [
        { text: "In August.", importance: "vital" },
        { text: 'Said "so".', importance: "okay" },
      ],
    },
    { question: "Where?", facts: [] },
  ]);
});

test.each(["", "[]", "{", '{"question": "When?"}', '{"question":"q","importance":"maybe","fact":"f"}'])(
  "another file is refused: %s",
  (text) => expect(factsOfFile(text)).toBeNull(),
);
