import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPart } from "@/test-page";
import { Exports } from "./Results";

test("the stored rankings of a sweep are saved as a zip of TREC files", async () => {
  await renderPart(<Exports id="sweep 1" />);
  const link = screen.getByRole("link", { name: "TREC runs and qrels as ZIP" });
  // A zip has its own form: the server refuses a format beside it.
  expect(link).toHaveAttribute("href", "/api/v1/sweeps/sweep%201/export?table=trec");
  expect(link).toHaveAttribute("download");
});

test("the table of the files is named, as they are below the questions and the judged answers too", async () => {
  await renderPart(<Exports id="s" />);
  const link = screen.getByRole("link", { name: "Configurations as CSV" });
  expect(link).toHaveAttribute("href", "/api/v1/sweeps/s/export?format=csv&table=composites");
});
