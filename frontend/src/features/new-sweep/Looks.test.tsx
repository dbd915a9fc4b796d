import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { DEFAULTS, type SweepForm } from "./form";
import { Looks, proposedLooks } from "./Looks";
import { useSweepForm } from "./useSweepForm";

afterEach(() => vi.unstubAllGlobals());

let current: SweepForm = DEFAULTS;

function Probe({ start }: { start: SweepForm }) {
  const form = useSweepForm(start, "");
  current = form.values;
  return <Looks form={form} />;
}

async function show(start: Partial<SweepForm>) {
  const summary = { name: "farm", questions: 70, digest: "d", language: "en", with_gold: 0, versions: 1 };
  stubServer(({ path }) => (path.startsWith("/api/v1/datasets") ? { items: [summary] } : { items: [] }));
  await renderPart(<Probe start={{ ...DEFAULTS, dataset: "farm", ...start }} />);
}

test("a first look has half of the questions, and one question cannot be divided", () => {
  expect(proposedLooks(70)).toEqual({ first: 35, second: 70, is_planned: true });
  expect(proposedLooks(3)).toEqual({ first: 2, second: 3, is_planned: true });
  expect([proposedLooks(1), proposedLooks(0)]).toEqual([null, null]);
});

test("a planned second look is a tick and two numbers; the sweep asks the first questions", async () => {
  await show({});
  const plan = await screen.findByRole("checkbox", { name: "Plan a second look" });
  await vi.waitFor(() => expect(plan).toBeEnabled());
  await userEvent.click(plan);
  expect(current.looks).toEqual({ first: 35, second: 70, is_planned: true });
  expect(current.questions).toBe(35);
  const first = screen.getByLabelText("Questions of the first look");
  await userEvent.clear(first);
  await userEvent.type(first, "20");
  expect([current.looks?.first, current.questions]).toEqual([20, 20]);
  await userEvent.click(plan);
  expect([current.looks, current.questions]).toEqual([null, ""]);
});

test("a look that was not planned says what it tests, and can be removed", async () => {
  await show({ looks: { first: 60, second: 140, is_planned: false }, questions: 140 });
  expect(await screen.findByText(/only the questions after the first 60 are tested/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Remove second look" }));
  expect([current.looks, current.questions]).toEqual([null, 140]);
});
