import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart } from "@/test-page";
import { ImportAnswers } from "./ImportAnswers";

afterEach(() => vi.unstubAllGlobals());

test("the columns of a refused file can be chosen, and are sent as the command line sends them", async () => {
  const sent: FormData[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.endsWith("/previews"))
      return new Response(JSON.stringify({ columns: ["Domanda", "Risposta"] }));
    if (request.url.endsWith("/answers")) sent.push(await request.formData());
    const detail = "a.csv has no column with the answers.";
    return new Response(JSON.stringify({ title: "Refused", detail, errors: [] }), { status: 422 });
  });
  await renderPart(<ImportAnswers name="lab" />);
  await userEvent.click(screen.getByRole("button", { name: "Import answers" }));
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input) await userEvent.upload(input, new File(["x"], "a.csv", { type: "text/csv" }));
  expect(screen.queryByRole("combobox", { name: "Risposta is imported as" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Import 1 file" }));
  expect(sent[0]?.get("columns")).toBeNull();
  for (const [column, meaning] of [
    ["Domanda", "question"],
    ["Risposta", "answer"],
  ])
    await userEvent.selectOptions(
      await screen.findByRole("combobox", { name: `${column} is imported as` }),
      `${meaning}`,
    );
  await userEvent.click(screen.getByRole("button", { name: "Import 1 file" }));
  expect(sent[1]?.get("columns")).toBe('{"question":"Domanda","answer":"Risposta"}');
});
