import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, render } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { useArrival } from "./useArrival";

const arrived = vi.fn();
/** What the page does when its height changes. */
let grow: (() => void) | null = null;

class Observer {
  constructor(changed: () => void) {
    grow = changed;
  }
  observe() {}
  disconnect() {
    grow = null;
  }
}

beforeEach(() => {
  arrived.mockClear();
  vi.stubGlobal("ResizeObserver", Observer);
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    arrived(this.id);
  });
});

async function show(address: string) {
  let show: (isShown: boolean) => void = () => {};
  function Part() {
    const [isShown, setShown] = useState(false);
    show = setShown;
    useArrival(isShown, "questions");
    return isShown ? <div id="questions" /> : null;
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Part }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await act(() => router.load());
  render(<RouterProvider router={router as never} />);
  return { router, put: (isShown: boolean) => act(() => show(isShown)) };
}

test("the place that the address names is gone to once it is shown, and not again", async () => {
  const { put } = await show("/#questions");
  expect(arrived).not.toHaveBeenCalled();
  put(true);
  put(true);
  expect(arrived.mock.calls).toEqual([["questions"]]);
});

test("panels that are drawn later do not push it out of sight, until the reader acts", async () => {
  const { put } = await show("/#questions");
  put(true);
  grow?.();
  expect(arrived).toHaveBeenCalledTimes(2);
  globalThis.dispatchEvent(new Event("wheel"));
  expect(grow).toBeNull();
});

test("the next navigation to it goes there again", async () => {
  const { router, put } = await show("/#questions");
  put(true);
  arrived.mockClear();
  await act(() => router.navigate({ to: "/", hash: "questions" }));
  expect(arrived).toHaveBeenCalledWith("questions");
});

test("an address that names another place, or none, leaves the page where it is", async () => {
  for (const address of ["/", "/#changed"]) {
    const { put } = await show(address);
    put(true);
    cleanup();
  }
  expect(arrived).not.toHaveBeenCalled();
});
