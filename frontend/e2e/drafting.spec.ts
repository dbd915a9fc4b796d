import { choose, expect, expectAccessible, expectToFit, test } from "./fixtures";
import { loadExample } from "./sweeps";

const NARROW = 360;

test("documents without questions: a plan, drafts with their refusals, a review by keys, a first sweep", async ({
  page,
  request,
}) => {
  await loadExample(request);

  await test.step("from the first page to the plan", async () => {
    await page.goto("/new");
    await page.getByRole("link", { name: "New questions from documents" }).click();
    await expect(page.getByRole("heading", { name: "New questions from documents", level: 1 })).toBeVisible();
    if ((await page.getByRole("combobox", { name: "Collection" }).inputValue()) === "") {
      await page.getByRole("combobox", { name: "Collection" }).click();
      await page.getByRole("option").first().click();
    }
    await choose(page.getByRole("combobox", { name: "Method" }), /^One question per paragraph/);
    await choose(page.getByRole("combobox", { name: "Models that write" }), /^mistral/);
    await page.keyboard.press("Escape");
    await choose(page.getByRole("combobox", { name: "Review" }), "Review a random share");
    await expect(page.getByLabel("Share to review (%)")).toHaveValue("20");
    await page.getByLabel("Price of input").fill("1");
    await page.getByLabel("Price of output").fill("2");
    await expect(page.getByText(/^about \d+\.\d\d if every draft passes$/)).toBeVisible();
    await page.getByLabel("Questions", { exact: true }).fill("3");
    await expect(page.getByText("at least 3", { exact: true })).toBeVisible();
    await page.getByText("Instruction and texts").click();
    await page.getByLabel("Instruction", { exact: true }).fill("Ask about crops only.");
    await page.getByLabel("Seed").fill("3");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("the scripted model writes no question, and the page says so by check", async () => {
    await page.getByRole("button", { name: "Draft questions" }).click();
    await expect(page).toHaveURL(/\/drafts\/[0-9a-f]+/);
    const made = await (await request.get(`/api/v1${new URL(page.url()).pathname}`)).json();
    const { instruction, seed } = made.table.assessment.spec.drafting;
    expect({ instruction, seed }).toEqual({ instruction: "Ask about crops only.", seed: 3 });
    await expect(page.getByText(/wrote no usable question from \d+ texts. Choose another model/)).toBeVisible(
      {
        timeout: 60_000,
      },
    );
    await expect(
      page.getByRole("region", { name: "Refused by check" }).getByRole("listitem"),
    ).not.toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Create dataset/ })).toBeDisabled();
    await expect(page.getByText(/^0(\.0)?.% of \d+$/)).toBeVisible();
    await expect(page.getByText("Drafts per minute")).toBeVisible();
    // To continue would draft nothing.
    await expect(page.getByRole("button", { name: "Continue drafting" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Draft with other settings" })).toBeVisible();
    await expectAccessible(page);
    await expectToFit(page, NARROW);
  });

  await test.step("a person edits a refused draft, takes it back, and accepts another", async () => {
    await page.getByRole("link", { name: "Review drafts" }).click();
    await expect(page.getByText("No draft is waiting for your review.")).toBeVisible();
    await page.getByRole("button", { name: "Show refused drafts" }).click();
    await expect(page.getByRole("combobox", { name: "Show" })).toHaveValue("Refused");
    const question = page.getByRole("textbox", { name: "Question" });
    await question.fill("Which crops are named first?");
    await page.getByRole("textbox", { name: "Reference answer" }).fill("Clover and rye.");
    await expectAccessible(page);
    await expectToFit(page, NARROW);
    await page.getByRole("button", { name: "Accept with changes" }).click();
    await expect(page.getByRole("button", { name: "Undo last decision" })).toBeEnabled();
    // The button went with its draft; the Tab key goes on at the next one.
    await expect(page.getByRole("region", { name: "Passage" })).toBeFocused();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("u");
    await expect(page.getByRole("button", { name: "Undo last decision" })).toBeDisabled();
    await page.keyboard.press("e");
    await expect(question).toBeFocused();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Which crops are named first?");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Clover and rye.");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(page.getByRole("button", { name: "Undo last decision" })).toBeEnabled();
  });

  await test.step("accepted questions become a dataset and the form of a sweep", async () => {
    await page.getByRole("link", { name: "Back to drafting" }).click();
    await page.getByLabel("Name of the dataset").fill("drafted");
    await page.getByRole("button", { name: "Create dataset of 1 question" }).click();
    await expect(page.getByText("Dataset drafted has 1 question.")).toBeVisible();
    await page.getByRole("link", { name: "New sweep with these questions" }).click();
    await expect(page.getByRole("combobox", { name: "Questions" })).toHaveValue(/^drafted/);
  });
});
