import { expect, expectAccessible, expectToFit, test } from "./fixtures";
import { EXAMPLE, finishedSweep, loadExample } from "./sweeps";

// Other columns than judging.spec.ts has, on the same pages: plan, progress and tables are shown by the same parts.
test("questions, passages and reasons of low scores are judged", { tag: "@soak" }, async ({
  page,
  request,
}) => {
  await loadExample(request);
  const sweep = await finishedSweep(request, "To be judged", 3);

  await test.step("the questions of the dataset are judged by their gold passages", async () => {
    await page.goto(`/datasets/${EXAMPLE}`);
    await page.getByRole("button", { name: "Judge questions" }).click();
    await page.getByRole("combobox", { name: "Judge", exact: true }).click();
    await page.getByRole("option", { name: /^mistral/ }).click();
    await page.getByRole("textbox", { name: "Budget" }).fill("3-asks");
    await expect(page.getByText("Distinct answers")).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
    await page.getByRole("button", { name: "Start assessment" }).click();
    const found = page.getByRole("region", { name: "Judged by mistral:latest" });
    await expect(found.getByText(/budget is used up after 3 requests/)).toBeVisible();
    await expect(found.getByRole("row", { name: /biodiversity-policy.*Answerability/ })).toBeVisible();
  });

  await test.step("grades of passages by a judge measure retrievers", async () => {
    const data = {
      target: sweep,
      judge: { provider: "ollama", name: "mistral:latest" },
      columns: ["Passage relevance"],
    };
    const { assessment } = await (await request.post("/api/v1/assessments", { data })).json();
    await expect(async () => {
      const shown = await (await request.get(`/api/v1/assessments/${assessment.id}`)).json();
      expect(shown.job.state).toBe("finished");
    }).toPass({ timeout: 60_000 });
    await page.goto(`/sweeps/${sweep}?view=judged`);
    const grades = page.getByRole("region", { name: "Relevance grades: Passage relevance" });
    await grades.getByText("People", { exact: true }).click();
    await grades.getByRole("button", { name: "Save grades" }).click();
    await expect(grades.getByText(/^No rating of assessment .* determines the grade/)).toBeVisible();
    await grades.getByText("Judge", { exact: true }).click();
    await grades.getByRole("button", { name: "Save grades" }).click();
    const name = "Passage relevance by mistral-latest";
    const link = grades.getByRole("link", { name: `Compare retrievers by ${name}` });
    await expect(link).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
    await link.click();
    await expect(page.getByRole("combobox", { name: "Relevance", exact: true })).toHaveValue(name);
  });

  await test.step("why answers were low stands on the page of a run", async () => {
    const failures = ["not extracted", "wrong format", "under-specific", "over-specific"];
    const texts = ["factual contradiction", "factual fabrication"];
    texts.push(...["instruction", "context", "logical"].map((name) => `${name} inconsistency`));
    const columns = ["Answer correctness", ...[...failures, ...texts].map((name) => `Failure: ${name}`)];
    const data = { target: sweep, judge: { provider: "ollama", name: "mistral:latest" }, columns };
    const { assessment } = await (await request.post("/api/v1/assessments", { data })).json();
    await expect(async () => {
      const shown = await (await request.get(`/api/v1/assessments/${assessment.id}`)).json();
      expect(shown.job.state).toBe("finished");
    }).toPass({ timeout: 60_000 });
    await page.goto(`/runs/${assessment.spec.runs[0]}`);
    const table = page.getByRole("table", { name: "Reasons for low scores" });
    await expect(table.getByRole("columnheader", { name: "All questions" })).toBeVisible();
    await expect(table.getByRole("row", { name: /\d \(\d+/ }).first()).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, 360);
  });
});
