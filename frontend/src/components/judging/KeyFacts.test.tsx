import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { KeyFacts } from "./KeyFacts";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const LISTED = {
  assessment_id: "a1",
  questions: [
    {
      question: "When?",
      facts: [
        { text: "In August.", importance: "vital" },
        { text: "At noon.", importance: "okay" },
      ],
    },
  ],
  unlisted: 0,
  right_answers: ["In August, at noon."],
  by_people: false,
};

async function show(onUse?: (facts: unknown) => void) {
  stubServer(({ path }) => (path.endsWith("/key-facts") ? LISTED : { items: [] }));
  await renderPart(<KeyFacts id="a1" {...(onUse && { onUse })} />);
  await screen.findByText("In August.");
}

test("what a person chose is there again when the page is loaded again, until it is discarded", async () => {
  const person = userEvent.setup();
  await show();
  expect(screen.queryByRole("button", { name: "Judge by these facts" })).toBeNull();
  expect(screen.getByText("Reference answer: In August, at noon.")).toBeVisible();
  await person.click(screen.getAllByText("Drop")[0] as HTMLElement);
  await person.type(screen.getByLabelText("Another key fact"), "In the field.{Enter}");
  cleanup();

  const used = vi.fn();
  await show(used);
  await person.click(screen.getByRole("button", { name: "Judge by these facts" }));
  const kept = [
    { text: "At noon.", importance: "okay" },
    { text: "In the field.", importance: "vital" },
  ];
  expect(used).toHaveBeenLastCalledWith([{ question: "When?", facts: kept }]);
  await person.click(screen.getByRole("button", { name: "Discard changes" }));
  await person.click(screen.getByRole("button", { name: "Judge by these facts" }));
  expect(used).toHaveBeenLastCalledWith([{ question: "When?", facts: LISTED.questions[0]?.facts }]);
});
