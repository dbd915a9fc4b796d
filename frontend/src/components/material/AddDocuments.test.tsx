import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { AddDocuments } from "./AddDocuments";

test("the import says what it needs, one thing after the other", async () => {
  stubServer(() => ({ items: [] }));
  await renderPart(<AddDocuments collections={[]} into="" />);
  const send = screen.getByRole("button", { name: "Import documents" });
  expect(send).toHaveAccessibleDescription("Choose files first.");
  await userEvent.click(screen.getByText("Pasted text"));
  expect(send).toHaveAccessibleDescription("Enter a document name and a text.");
  await userEvent.type(screen.getByLabelText("Document name"), "soil");
  await userEvent.type(screen.getByLabelText("Text"), "Clover fixes nitrogen.");
  await userEvent.clear(screen.getByLabelText("Collection name"));
  expect(send).toHaveAccessibleDescription("Name the collection.");
  await userEvent.type(screen.getByLabelText("Collection name"), "farm");
  expect(send).toBeEnabled();
  expect(send).not.toHaveAccessibleDescription();
});
