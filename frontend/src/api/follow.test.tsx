import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { api } from "./client";
import { useFollow } from "./follow";
import { createCache } from "./queries";
import { sweepQueries } from "./sweeps";

class FakeEvents {
  static made: FakeEvents[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  named = new Map<string, (event: { data: string }) => void>();
  addEventListener(name: string, listen: (event: { data: string }) => void) {
    this.named.set(name, listen);
  }
  constructor(readonly url: string) {
    FakeEvents.made.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

beforeEach(() => {
  FakeEvents.made = [];
  vi.stubGlobal("EventSource", FakeEvents);
});

function Page({ isMoving }: { isMoving: boolean }) {
  return <p>{useFollow("s/1", isMoving) ? "told" : "asking"}</p>;
}

function show(isMoving: boolean) {
  const cache = createCache(() => {});
  const page = (moving: boolean) => (
    <QueryClientProvider client={cache}>
      <Page isMoving={moving} />
    </QueryClientProvider>
  );
  const { rerender } = render(page(isMoving));
  return { cache, move: (moving: boolean) => rerender(page(moving)) };
}

const kept = (cache: ReturnType<typeof createCache>) =>
  cache.getQueryData(
    api.queryOptions("get", "/api/v1/sweeps/{sweep_id}", { params: { path: { sweep_id: "s/1" } } }).queryKey,
  );

test("what is told is kept where the page looks", () => {
  const { cache } = show(true);
  const [events] = FakeEvents.made;
  expect(events?.url).toBe("/api/v1/sweeps/s%2F1/events?language=en");
  expect(screen.getByText("asking")).toBeInTheDocument();
  act(() => events?.onmessage?.({ data: JSON.stringify({ id: "s/1", state: "running", runs: [] }) }));
  expect(screen.getByText("told")).toBeInTheDocument();
  expect(kept(cache)).toEqual({ id: "s/1", state: "running", runs: [] });
});

test("the answers that are written are kept where their list looks", () => {
  const { cache } = show(true);
  const [events] = FakeEvents.made;
  const data = JSON.stringify({ is_here: true, unfinished: [{ text: "Rice is\u0007" }] });
  act(() => events?.named.get("now")?.({ data }));
  expect(cache.getQueryData(sweepQueries.now("s/1").queryKey)).toEqual({
    is_here: true,
    unfinished: [{ text: "Rice is\u2407" }],
  });
});

test("where the connection breaks the page asks by itself", () => {
  show(true);
  const [events] = FakeEvents.made;
  act(() => events?.onmessage?.({ data: JSON.stringify({ runs: [] }) }));
  act(() => events?.onerror?.());
  expect(screen.getByText("asking")).toBeInTheDocument();
  expect(events?.isClosed).toBe(false);
});

test("nothing is followed at rest, and what comes to rest is followed no longer", () => {
  const { move } = show(false);
  expect(FakeEvents.made).toEqual([]);
  move(true);
  move(false);
  expect(FakeEvents.made.map(({ isClosed }) => isClosed)).toEqual([true]);
});
