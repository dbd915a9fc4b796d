import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SweepDetail } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { LiveAnswers } from "./LiveAnswers";
import { Obstacles } from "./Obstacles";

const SWEEP = { id: "s", state: "running", runs: [{ id: "s-0", name: "Similarity ≥ 0.50" }] } as SweepDetail;
const asked = {
  run_id: "s-0",
  number: 4,
  question_id: "q5",
  question: "How far do bees fly?",
  evaluations: 3,
};
const NOW = {
  is_here: true,
  streams: true,
  retrieving: 7,
  queued: 12,
  scoring: 2,
  others: 1,
  unfinished: [
    {
      asked,
      stage: "writing",
      seconds: 3.2,
      text: "as a **bee** flies, **three kilometres",
      characters: 900,
    },
    { asked: { ...asked, number: 5 }, stage: "reading", seconds: 12, text: "", characters: 0 },
  ],
  latest: [{ asked: { ...asked, number: 1 }, text: "Clover.", characters: 7, seconds: 50 }],
};

test("answers are shown as far as they are written, with their stage and question", async () => {
  stubServer(() => NOW);
  await renderPart(<LiveAnswers sweep={SWEEP} isReported={false} />);
  const [writing, reading] = within(
    await screen.findByRole("list", { name: "Unfinished answers" }),
  ).getAllByRole("listitem");
  expect(writing).toHaveTextContent("…as a bee flies, three kilometres");
  expect(within(writing as HTMLElement).getByText("three kilometres").tagName).toBe("STRONG");
  expect(writing).toHaveTextContent("Similarity ≥ 0.50 and 2 more");
  expect(within(writing as HTMLElement).getByRole("link")).toHaveAttribute("href", "/runs/s-0/questions/5");
  expect(reading).toHaveTextContent("Reading the prompt · 12 s");
  expect(screen.getByRole("list", { name: "Latest answers" })).toHaveTextContent("50 s");
  expect(screen.getByText("1 more answer at the same time")).toBeInTheDocument();
  const counts = [...screen.getByLabelText("Stages").querySelectorAll("dd")].map((each) => each.textContent);
  expect(counts).toEqual(["7", "12", "1", "2", "2"]);
});

test("of the latest answers the text is shown, without signs of Markdown", async () => {
  const text =
    "## Answer\n\n**Bees** fly *three* kilometres.\n- Clover `Trifolium`\n1. 2 * 3 * 4\n\n**The en";
  const latest = [{ asked, text, characters: 900, seconds: 0 }];
  stubServer(() => ({ ...NOW, unfinished: [], latest }));
  await renderPart(<LiveAnswers sweep={SWEEP} isReported={false} />);
  const shown = "Answer Bees fly three kilometres. Clover Trifolium 2 * 3 * 4 The en…";
  expect(await screen.findByText(shown)).toBeInTheDocument();
});

test("of a sweep that another process runs it is said why no answers are shown", async () => {
  stubServer(() => ({ is_here: false, unfinished: [], latest: [] }));
  await renderPart(<LiveAnswers sweep={SWEEP} isReported={false} />);
  expect(await screen.findByText(/Another process runs this sweep/)).toBeInTheDocument();
  expect(screen.queryByRole("region")).not.toBeInTheDocument();
});

test("replies that other machines read are said to be asked, not read or written", async () => {
  stubServer(() => ({ ...NOW, streams: false }));
  await renderPart(<LiveAnswers sweep={SWEEP} isReported={false} />);
  expect(await screen.findByText(/Workers on other machines read the replies/)).toBeInTheDocument();
  expect(screen.queryByText("Reading the prompt")).not.toBeInTheDocument();
  const counts = [...screen.getByLabelText("Stages").querySelectorAll("dd")].map((each) => each.textContent);
  expect(counts).toEqual(["7", "12", "3", "2"]);
});

test("a queued sweep says its place and links to the sweep that it waits for", async () => {
  stubServer(() => ({}));
  const queue = { place: 2, reason: "same_server" as const, ahead: "other", ahead_name: "Night study" };
  await renderPart(<Obstacles sweep={{ ...SWEEP, state: "queued", queue, progress: null }} />);
  expect(screen.getByRole("status")).toHaveTextContent("Place 2 in the queue");
  expect(screen.getByRole("link", { name: "Night study" })).toHaveAttribute("href", "/sweeps/other");
});

test.each([
  [1, 0],
  [3, 1],
])("%i equal failures in a row give %i warnings", async (count, warnings) => {
  stubServer(() => ({}));
  const streaks = [{ model: "mistral", count, limit: 5, reason: "The server returned 500." }];
  await renderPart(<Obstacles sweep={{ ...SWEEP, progress: { streaks } } as SweepDetail} />);
  expect(screen.queryAllByText(/After 5 equal failures in a row/)).toHaveLength(warnings);
});
