import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import { createCache } from "@/api/queries";

/** Render a part of a page as the application does: with theme, query cache and router, at an address. */
export async function renderPart(
  part: ReactNode,
  address = "/",
  onWarning: (line: string) => void = () => {},
) {
  const cache = createCache(() => {}, onWarning);
  const root = createRootRoute({ notFoundComponent: () => null });
  const path = address.split("?")[0] ?? "/";
  const page = createRoute({ getParentRoute: () => root, path, component: () => part });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await act(() => router.load());
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={cache}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { cache, router };
}

export interface Asked {
  method: string;
  path: string;
}

/** Answer requests in place of the server, and list them; a number is the status of a refusal. */
export function stubServer(
  answer: (asked: Asked, request: Request) => object | number | Promise<object>,
): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const one = { method: request.method, path: decodeURIComponent(pathname + search) };
    asked.push(one);
    const found = await answer(one, request);
    const status = typeof found === "number" ? found : 200;
    const body =
      typeof found === "number" ? { title: "Refused", status, detail: `Refused with ${status}.` } : found;
    return new Response(JSON.stringify(body), { status });
  });
  return asked;
}
