import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "@/test-page";
import { Command } from "./Command";

test("the button of a secret is not labelled by the secret, which a screen reader would read aloud", async () => {
  await renderPart(
    <>
      <Command text="ollama serve" />
      <Command text="pas_9f3c" name="the access token" />
    </>,
  );
  expect(screen.getByRole("button", { name: "Copy ollama serve" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Copy the access token" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /pas_/ })).toBeNull();
});
