import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { useJob } from "./jobs";
import { collectionQueries } from "./materials";

const job = { id: "j", kind: "ingest", message: "Embedding", done: 3, total: 9, result: null, problem: null };

async function show(replies: (object | number)[]) {
  const onDone = vi.fn();
  const asked = stubServer(() => (replies.length > 1 ? replies.shift() : replies[0]) ?? 500);
  function Part() {
    const { follow, isBusy, running, problem } = useJob({ changes: ["collections"], onDone });
    return (
      <>
        <button type="button" onClick={() => follow("j")}>
          start
        </button>
        <p>{isBusy ? "busy" : "idle"}</p>
        <p>{running ? `${running.done} of ${running.total}` : "no progress"}</p>
        <p>{problem?.message ?? "no problem"}</p>
      </>
    );
  }
  const { cache } = await renderPart(<Part />);
  cache.setQueryData<unknown>(collectionQueries.list().queryKey, { items: [] });
  expect(screen.getByText("idle")).toBeVisible();
  await userEvent.click(screen.getByRole("button"));
  const isStale = () => cache.getQueryState(collectionQueries.list().queryKey)?.isInvalidated;
  return { onDone, asked, isStale };
}

test("a job is followed until it ends, and what it changed is stale before anything else happens", async () => {
  const finished = { ...job, state: "finished", result: { id: "x" } };
  const { onDone, isStale } = await show([{ ...job, state: "running" }, finished]);
  expect(await screen.findByText("3 of 9")).toBeVisible();
  expect(screen.getByText("busy")).toBeVisible();
  await waitFor(() =>
    expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ result: { id: "x" } }), true),
  );
  expect(isStale()).toBe(true);
  expect(onDone).toHaveBeenCalledOnce();
  expect(screen.getByText("idle")).toBeVisible();
});

test("a job that fails says why, and what it changed half-way is stale", async () => {
  const problem = { title: "Refused", status: 422, detail: "The PDF has no text.", errors: [] };
  const { onDone, isStale } = await show([{ ...job, state: "failed", message: "", problem }]);
  expect(await screen.findByText("The PDF has no text.")).toBeVisible();
  expect(screen.getByText("idle")).toBeVisible();
  expect(isStale()).toBe(true);
  expect(onDone).not.toHaveBeenCalled();
});

test("a job that a restarted server no longer knows ends with the server's sentence", async () => {
  const { onDone, asked } = await show([{ ...job, state: "running" }, 404]);
  expect(await screen.findByText("Refused with 404.")).toBeVisible();
  expect(screen.getByText("idle")).toBeVisible();
  expect(screen.getByText("no progress")).toBeVisible();
  expect(onDone).not.toHaveBeenCalled();
  const count = asked.length;
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(asked).toHaveLength(count);
});

/** A part that is removed while its job is under way, as by the arrival of the list that the job fills. */
async function showRemoved() {
  const onDone = vi.fn();
  let state = "running";
  stubServer(() => ({ ...job, state }));
  function Starter({ onStarted }: { onStarted: () => void }) {
    const { follow } = useJob({ changes: ["collections"], onDone });
    const start = () => {
      follow("j");
      onStarted();
    };
    return (
      <button type="button" onClick={start}>
        start
      </button>
    );
  }
  function Page() {
    const [isStarted, setStarted] = useState(false);
    return isStarted ? <p>the list</p> : <Starter onStarted={() => setStarted(true)} />;
  }
  await renderPart(<Page />);
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByText("the list")).toBeVisible();
  expect(onDone).not.toHaveBeenCalled();
  return { onDone, finish: () => (state = "finished") };
}

test("a job is followed to its end where the part that started it was removed", async () => {
  const { onDone, finish } = await showRemoved();
  finish();
  await waitFor(() => expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ id: "j" }), true));
});

test("the end of a job reports that its reader has left the page", async () => {
  const { onDone, finish } = await showRemoved();
  history.pushState(null, "", "/elsewhere");
  finish();
  await waitFor(() => expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ id: "j" }), false));
});
