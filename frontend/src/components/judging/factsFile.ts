import type { QuestionFacts } from "@/api/types";

export type Choice = "vital" | "okay" | "drop";
/** What a person chose, by question and text of the fact; facts that they wrote are among them. */
export type Choices = Record<string, Record<string, Choice>>;

const CHOICES: readonly string[] = ["vital", "okay", "drop"] satisfies Choice[];

/** The facts that are kept, as the server is given them. */
export function keptFacts(choices: Choices): QuestionFacts[] {
  return Object.entries(choices).map(([question, own]) => ({
    question,
    facts: Object.entries(own).flatMap(([text, importance]) =>
      importance === "drop" ? [] : [{ text, importance }],
    ),
  }));
}

/** The file of key facts that `passer judge run --facts` reads: a JSON object for each, one a line. */
export function fileOfFacts(choices: Choices): string {
  const rows = Object.entries(choices).flatMap(([question, own]) =>
    Object.entries(own).map(([fact, importance]) => ({ question, importance, fact })),
  );
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** The choices of such a file; null where a line is something else. The server checks the facts themselves. */
export function factsOfFile(text: string): Choices | null {
  const choices: Choices = {};
  try {
    for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
      const row: unknown = JSON.parse(line);
      if (!isRow(row)) return null;
      choices[row.question] = { ...choices[row.question], [row.fact]: row.importance };
    }
  } catch {
    return null;
  }
  return Object.keys(choices).length > 0 ? choices : null;
}

function isRow(row: unknown): row is { question: string; importance: Choice; fact: string } {
  if (typeof row !== "object" || row === null) return false;
  const { question, importance, fact } = row as Record<string, unknown>;
  return (
    typeof question === "string" &&
    typeof fact === "string" &&
    typeof importance === "string" &&
    CHOICES.includes(importance)
  );
}
