import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { RetrieverField } from "./RetrieverField";

const SERVERS = {
  items: [
    { provider: "local", models: [{ name: "m", digest: "a", context_length: null, for_trials: false }] },
  ],
};

function Form() {
  const [value, setValue] = useState<string[]>([]);
  return <RetrieverField value={value} onChange={setValue} />;
}

/** Open a field and choose one of its values. */
async function choose(field: string, choice: string) {
  fireEvent.click(await screen.findByRole("combobox", { name: field }));
  fireEvent.click(await screen.findByRole("option", { name: choice, hidden: true }));
}

test("what the model writes and how it grades are chosen once a model is", async () => {
  stubServer(({ path }) => (path.startsWith("/api/v1/models") ? SERVERS : { items: [] }));
  await renderPart(<Form />);
  await screen.findByRole("combobox", { name: "Model for RAG-Fusion and reranking" });
  expect(screen.queryByRole("combobox", { name: "Texts for RAG-Fusion" })).toBeNull();
  await choose("Model for RAG-Fusion and reranking", "m");
  await choose("Texts for RAG-Fusion", "Keywords of a passage with the answer");
  await choose("Retrievers", "RAG-Fusion by m, keywords: BM25 (words)");
  await choose("Grades for reranking", "0 to 3 (UMBRELA)");
  await choose("Retrievers", "BM25 (words), reranked by m (UMBRELA)");
  // What was chosen before stays, and the usual forms are offered again.
  await choose("Texts for RAG-Fusion", "Other wordings of the question");
  await choose("Retrievers", "RAG-Fusion by m: BM25 (words)");
  for (const name of [
    "RAG-Fusion by m, keywords: BM25 (words)",
    "BM25 (words), reranked by m (UMBRELA)",
    "RAG-Fusion by m: BM25 (words)",
  ]) {
    expect(await screen.findByRole("option", { name, hidden: true, selected: true })).toBeDefined();
  }
});
