import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { FinishForm } from "./FinishForm";

test("accepted questions do not replace those of a dataset of this name without a word", async () => {
  stubServer(() => ({ items: [{ name: "farm", questions: 71 }] }));
  await renderPart(<FinishForm id="d" collection="farm" states={{ accepted: 2 }} written={[["m", 2]]} />);
  const name = await screen.findByDisplayValue("farm-drafted");
  expect(screen.queryByText(/has 71 questions/)).toBeNull();
  await userEvent.clear(name);
  await userEvent.type(name, "farm");
  expect(screen.getByText(/^The dataset farm has 71 questions\. Its new version has only/)).toBeVisible();
});

test("a button that cannot be pressed says what is missing", async () => {
  stubServer(() => ({ items: [] }));
  await renderPart(<FinishForm id="d" collection="farm" states={{}} written={[]} />);
  const send = screen.getByRole("button", { name: "Create dataset" });
  expect(send).toBeDisabled();
  expect(send).toHaveAccessibleDescription("No question is accepted yet. Review the drafts first.");
  expect(screen.getAllByText(/No question is accepted yet/)).toHaveLength(1);
});
