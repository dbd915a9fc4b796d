import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { SweepDetail } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { Actions } from "./Actions";

function sweep(state: string, answered: number, registered: object | null = null): SweepDetail {
  const run = { id: "s-000", sweep_id: "s", state, acts: [], counts: { answered, failed: 0 } };
  return {
    id: "s",
    name: "S",
    state,
    registered,
    runs: [run],
    annotation: { tags: [], notes: "" },
  } as unknown as SweepDetail;
}

const register = () => screen.queryByRole("button", { name: "Register before running" });

test("a plan is registered while its sweep has no answer", async () => {
  const asked = stubServer(() => ({}));
  await renderPart(<Actions sweep={sweep("queued", 0)} />);
  await userEvent.click(register() as HTMLElement);
  await waitFor(() =>
    expect(asked.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/api/v1/sweeps/s/register",
    ]),
  );
});

test.each([
  ["has an answer", sweep("paused", 1)],
  ["is running", sweep("running", 0)],
  ["is registered", sweep("queued", 0, { digest: "d" })],
])("no plan is registered once the sweep %s", async (_, given) => {
  stubServer(() => ({}));
  await renderPart(<Actions sweep={given} />);
  expect(register()).toBeNull();
});
