import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { RecentFailure, Run } from "@/api/types";
import { renderPart } from "@/test-page";
import { Failures } from "./Failures";

const RUN = {
  id: "r1",
  sweep_id: "s1",
  name: "k = 5",
  acts: ["retry"],
  counts: { failed: 2 },
} as unknown as Run;

const failure = (number: number, is_too_long: boolean): RecentFailure => ({
  run_id: "r1",
  number,
  question_id: `q${number}`,
  reason: is_too_long ? "The prompt is too long." : "The server was overloaded.",
  is_too_long,
  at: "2026-01-01T00:00:00Z",
});

test("where every prompt is too long, other settings are offered and no retry", async () => {
  await renderPart(<Failures runs={[RUN]} recent={[failure(0, true), failure(1, true)]} />);
  expect(screen.getByRole("link", { name: "Copy with other settings" })).toHaveAttribute(
    "href",
    "/new?copy=s1",
  );
  expect(screen.queryByRole("button", { name: /Retry/ })).toBeNull();
});

test("a retry is offered where it may help", async () => {
  await renderPart(<Failures runs={[RUN]} recent={[failure(0, true), failure(1, false)]} />);
  expect(screen.getByRole("button", { name: "Retry 2 failed questions" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Copy with other settings" })).toBeVisible();
});

test("of failures that are not shown nothing is known, so that a retry is offered", async () => {
  await renderPart(<Failures runs={[RUN]} recent={[]} />);
  expect(screen.getByRole("button", { name: "Retry 2 failed questions" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "Copy with other settings" })).toBeNull();
});
