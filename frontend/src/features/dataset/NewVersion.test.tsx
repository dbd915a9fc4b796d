import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart } from "@/test-page";
import { NewVersion } from "./DatasetPage";

afterEach(() => vi.unstubAllGlobals());

const PREVIEW = {
  counts: { rows: 5, questions: 5, with_reference: 5, with_gold: 0, problems: 0, skippable: 0 },
  mapping: { columns: { question: "question" }, ignored: [], notes: [] },
  columns: ["question"],
  meanings: ["question", "reference"],
  problems: [],
  questions: [],
  language: "en",
};

test("the step of a verdict opens the form, whose file becomes a version of the dataset, whatever its own name", async () => {
  const sent: FormData[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const isPreview = request.url.endsWith("/previews");
    if (!isPreview) sent.push(await request.formData());
    return new Response(JSON.stringify(isPreview ? PREVIEW : { name: "farm", questions: 5 }));
  });
  await renderPart(<NewVersion name="farm" />, "/datasets/farm?#new-version");
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error("No file field.");
  await userEvent.upload(input, new File(["x"], "more.csv", { type: "text/csv" }));
  await userEvent.click(await screen.findByRole("button", { name: "Import 5 questions" }));
  expect(sent.map((form) => form.get("name"))).toEqual(["farm"]);
  await vi.waitFor(() => expect(document.querySelector('input[type="file"]')).toBeNull());
});

test("questions are added to the newest version unless all are to be replaced", async () => {
  const sent: [string, FormData][] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const form = await request.formData();
    sent.push([request.url.endsWith("/previews") ? "preview" : "import", form]);
    return new Response(JSON.stringify(PREVIEW));
  });
  await renderPart(<NewVersion name="farm" />, "/datasets/farm?#new-version");
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error("No file field.");
  await userEvent.upload(input, new File(["x"], "more.csv", { type: "text/csv" }));
  await screen.findByRole("button", { name: "Import 5 questions" });
  expect(screen.queryByRole("textbox", { name: "Language" })).toBeNull();
  await userEvent.click(screen.getByRole("radio", { name: "Replace all questions" }));
  await userEvent.click(screen.getByRole("radio", { name: "Add questions" }));
  await userEvent.click(await screen.findByRole("button", { name: "Import 5 questions" }));
  const seen = sent.map(([kind, form]) => [kind, form.get(kind === "preview" ? "add_to" : "add")]);
  expect(seen).toEqual([
    ["preview", "farm"],
    ["preview", null],
    ["preview", "farm"],
    ["import", "true"],
  ]);
  expect(sent.at(-1)?.[1].has("language")).toBe(false);
});

test("it is folded where nobody came for it", async () => {
  await renderPart(<NewVersion name="farm" />, "/datasets/farm");
  expect(document.querySelector('input[type="file"]')).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Import new version" }));
  expect(document.querySelector('input[type="file"]')).not.toBeNull();
});
