import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Problem } from "@/api/problem";
import { ProblemNotice } from "./ProblemNotice";

function show(error: unknown, onRetry?: () => void) {
  render(
    <MantineProvider>
      <ProblemNotice error={error} {...(onRetry ? { onRetry } : {})} />
    </MantineProvider>,
  );
  return screen.getByRole("alert");
}

test("rows and fields are named beside their sentences", () => {
  const problem = new Problem(422, "Not accepted", "Two rows are wrong.", [
    { row: 3, field: "question", message: "It is empty." },
    { row: 7, message: "The id occurs twice." },
  ]);
  const notice = show(problem);
  expect(notice).toHaveTextContent("Not accepted");
  expect(notice).toHaveTextContent("Two rows are wrong.");
  expect(screen.getByText("Row 3, question: It is empty.")).toBeVisible();
  expect(screen.getByText("Row 7: The id occurs twice.")).toBeVisible();
});

test("a single wrong field is named once", () => {
  const said = "axes.k.1: The value must be at least 1.";
  const notice = show(
    new Problem(422, "Not accepted", said, [{ field: "axes.k.1", message: "The value must be at least 1" }]),
  );
  expect(notice).toHaveTextContent(said);
  expect(screen.queryByRole("listitem")).toBeNull();
});

test("of two fields that lack the same the second is named below the sentence", () => {
  const message = "This field is required";
  const errors = [
    { field: "name", message },
    { field: "dataset", message },
  ];
  show(new Problem(422, "Not accepted", `name: ${message}.`, errors));
  expect(screen.getByRole("listitem")).toHaveTextContent(`dataset: ${message}`);
});

test("many rows are counted, not listed", () => {
  const errors = Array.from({ length: 50 }, (_, i) => ({ row: i + 1, message: "It is empty." }));
  show(new Problem(422, "Not accepted", "Fifty rows are wrong.", errors));
  expect(screen.getAllByRole("listitem")).toHaveLength(9);
  expect(screen.getByText("and 42 more")).toBeVisible();
});

test("the button that helps is there when something can be tried again", async () => {
  const onRetry = vi.fn();
  show(new Problem(503, "Unavailable", "Start the model server."), onRetry);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test("what is no problem of the server is said without its words", () => {
  expect(show(new TypeError("x is undefined"))).not.toHaveTextContent("undefined");
});

test("one wrong field is said once, and not tried again as it was", () => {
  const said = "The panel needs scores of an encoder.";
  const problem = new Problem(422, "Not accepted", said, [{ field: "panel", message: said }]);
  show(problem, vi.fn());
  expect(screen.getAllByText(said)).toHaveLength(1);
  expect(screen.queryByRole("listitem")).toBeNull();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});
