import type { Dataset } from "@/api/types";

/** The rows of a question file that gives this dataset again when it is dropped. */
export function rowsOf({ language, questions }: Dataset): Record<string, unknown>[] {
  return questions.map(({ text, gold_passages, relevant, ...more }) => ({
    ...more,
    question: text,
    gold_passages,
    ...(relevant == null ? {} : { relevant }),
    language,
  }));
}

/** Hand the dataset to the reader as a JSON file. */
export function save(dataset: Dataset): void {
  const text = JSON.stringify(rowsOf(dataset), null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${dataset.name}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
