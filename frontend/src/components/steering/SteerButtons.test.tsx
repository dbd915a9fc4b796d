import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Act } from "@/api/steering";
import type { Run } from "@/api/types";
import { Failures } from "@/components/Failures";
import { renderPart, stubServer } from "@/test-page";
import { SteerButtons } from "./SteerButtons";

let number = 0;
function run(sweep_id: string, acts: Act[], failed = 0): Run {
  number += 1;
  const id = `${sweep_id}-${number}`;
  return { id, sweep_id, name: `Run ${id}`, acts, counts: { failed } } as Run;
}

const names = () => screen.queryAllByRole("button").map((button) => button.textContent);
const posts = (asked: { method: string; path: string }[]) =>
  asked.filter(({ method }) => method === "POST").map(({ path }) => path);

test("only acts that the server lists for a run are offered", async () => {
  stubServer(() => ({}));
  await renderPart(<SteerButtons runs={[run("s", ["resume"]), run("s", ["retry"]), run("s", [])]} />);
  expect(names()).toEqual(["Resume", "Retry failed"]);
});

test("an act goes to the runs that accept it, sweep by sweep, also where one sweep refuses", async () => {
  const asked = stubServer(({ path }) => (path.includes("/a/") ? 409 : {}));
  const [first, second, third] = [run("a", ["pause"]), run("b", ["pause"]), run("b", ["resume"])];
  await renderPart(<SteerButtons runs={[first, second, third]} />);
  await userEvent.click(screen.getByRole("button", { name: "Pause" }));
  await waitFor(() =>
    expect(posts(asked)).toEqual([
      `/api/v1/sweeps/a/pause?run_id=${first.id}`,
      `/api/v1/sweeps/b/pause?run_id=${second.id}`,
    ]),
  );
});

test("warnings of the server are shown when a sweep is resumed", async () => {
  stubServer(() => ({ warnings: ["ollama/m has changed."] }));
  const onWarning = vi.fn();
  await renderPart(<SteerButtons runs={[run("s", ["resume"])]} />, "/", onWarning);
  await userEvent.click(screen.getByRole("button", { name: "Resume" }));
  await waitFor(() => expect(onWarning.mock.calls.map(([line]) => line)).toEqual(["ollama/m has changed."]));
});

test("a whole sweep is steered without naming its runs, and cancelling asks first", async () => {
  const asked = stubServer(() => ({}));
  await renderPart(<SteerButtons runs={[run("a", ["cancel"]), run("a", ["cancel"])]} names={["My sweep"]} />);
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("My sweep");
  expect(posts(asked)).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel runs" }));
  await waitFor(() => expect(posts(asked)).toEqual(["/api/v1/sweeps/a/cancel"]));
});

test.each([
  ["offered", "where the server lists it", ["retry"] as Act[], 1],
  ["not offered", "while the run goes on", ["pause", "cancel"] as Act[], 0],
])("retrying failed questions is %s %s", async (_, __, acts, count) => {
  stubServer(() => ({}));
  const failing = run("s", acts, 2);
  await renderPart(<Failures runs={[failing]} recent={[]} only={failing.id} />);
  expect(screen.getByRole("link")).toHaveAttribute("href", expect.stringContaining(failing.id));
  expect(screen.queryAllByRole("button", { name: "Retry 2 failed questions" })).toHaveLength(count);
});

test("nothing is offered for runs without failures", async () => {
  stubServer(() => ({}));
  await renderPart(<Failures runs={[run("s", ["retry"])]} recent={[]} />);
  expect(names()).toEqual([]);
});
