import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart } from "@/test-page";
import { AddQuestions } from "./AddQuestions";

afterEach(() => vi.unstubAllGlobals());

function counted(problems: object[], skippable: number) {
  return {
    counts: { rows: 5, questions: 4, with_reference: 3, with_gold: 0, problems: problems.length, skippable },
    mapping: { columns: { question: "question" }, ignored: [], notes: [] },
    columns: ["question", "remarks"],
    meanings: ["question", "reference"],
    problems,
    questions: [],
    language: "en",
  };
}

async function drop(preview: object, asked: unknown[] = []): Promise<FormData[]> {
  const sent: FormData[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const isPreview = request.url.endsWith("/previews");
    const form = await request.formData();
    if (isPreview) asked.push(form.get("mapping"));
    else sent.push(form);
    const body = isPreview ? preview : { name: "mine", questions: 4 };
    return new Response(JSON.stringify(body), { status: isPreview ? 200 : 201 });
  });
  await renderPart(<AddQuestions />);
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input) await userEvent.upload(input, new File(["x"], "mine.csv", { type: "text/csv" }));
  return sent;
}

test("a bad row is skipped by a button that says so", async () => {
  const sent = await drop(counted([{ row: 2, field: "question", message: "The question is blank." }], 1));
  expect(await screen.findByText("Row 2, question: The question is blank.")).toBeVisible();
  expect(screen.getByText(/1 without a reference answer/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Skip 1 bad row and import 4" }));
  expect(sent[0]?.get("skip_bad_rows")).toBe("true");
});

test("a problem of the whole file cannot be skipped", async () => {
  await drop(counted([{ row: null, field: "language", message: "Two languages." }], 0));
  expect(await screen.findByText("This file cannot be imported")).toBeVisible();
  const send = screen.getByRole("button", { name: "Import 4 questions" });
  expect(send).toBeDisabled();
  expect(send).toHaveAccessibleDescription(/^Correct the problems above/);
});

test("a column is given a meaning: the preview is asked with it, and the import keeps what the preview shows", async () => {
  const asked: unknown[] = [];
  const sent = await drop(counted([], 0), asked);
  await userEvent.selectOptions(
    await screen.findByRole("combobox", { name: "remarks is imported as" }),
    "reference",
  );
  expect(asked).toEqual([null, '{"columns":{"question":"question","reference":"remarks"},"ignored":[]}']);
  await userEvent.click(screen.getByRole("button", { name: "Import 4 questions" }));
  expect(sent[0]?.get("mapping")).toBe('{"columns":{"question":"question"},"ignored":[]}');
});

test("columns that are not recognised are chosen in the table, or left out together", async () => {
  const column = (field: string) => ({ row: null, field, message: `The column “${field}” is not known.` });
  const asked: unknown[] = [];
  const preview = {
    ...counted([column("remarks"), column("source")], 0),
    columns: ["question", "remarks", "source"],
  };
  await drop(preview, asked);
  expect(await screen.findByText("Some columns are not recognised")).toBeVisible();
  expect(screen.getByText("Not used yet: remarks, source.")).toBeVisible();
  expect(screen.queryByText("This file cannot be imported")).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Set the other 2 columns to “Not imported”" }));
  expect(asked.at(-1)).toBe('{"columns":{"question":"question"},"ignored":["remarks","source"]}');
});

test("without a column of questions it says which one to choose, and leaves none out", async () => {
  const message = "No column contains the reference. Rename one to target, or map one of remarks.";
  await drop(counted([{ row: null, field: "reference", message }], 0));
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByText("Some columns are not recognised")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Not imported/ })).not.toBeInTheDocument();
});

test("the language is the one that the preview found, and is sent only if it is changed", async () => {
  const sent = await drop({ ...counted([], 0), language: "bg" });
  const language = await screen.findByRole("textbox", { name: "Language" });
  expect(language).toHaveValue("bg");
  await userEvent.click(screen.getByRole("button", { name: "Import 4 questions" }));
  expect(sent[0]?.get("language")).toBe(null);
});

test("a language that is typed is sent", async () => {
  const sent = await drop({ ...counted([], 0), language: "bg" });
  const language = await screen.findByRole("textbox", { name: "Language" });
  await userEvent.clear(language);
  await userEvent.type(language, "mk");
  await userEvent.click(screen.getByRole("button", { name: "Import 4 questions" }));
  expect(sent[0]?.get("language")).toBe("mk");
});
