import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { client } from "./client";
import { createCache } from "./queries";
import { sweepQueries } from "./sweeps";

type Asked = { params: { query: { limit: number; after?: string } } };

function Page() {
  const { data } = useQuery(sweepQueries.all());
  return <p>{data?.map(({ id }) => id).join(" ") ?? "asking"}</p>;
}

test("sweeps are asked for page by page until there are no more", async () => {
  const pages: Record<string, object> = {
    "": { items: [{ id: "s/4" }, { id: "s/3" }], next: "s/3" },
    "s/3": { items: [{ id: "s/2" }], next: "s/2" },
    "s/2": { items: [{ id: "s/1" }], next: null },
  };
  const asked = vi.spyOn(client, "GET").mockImplementation((async (_: string, init: Asked) => ({
    data: pages[init.params.query.after ?? ""],
  })) as never);
  render(
    <QueryClientProvider client={createCache(() => {})}>
      <Page />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("s/4 s/3 s/2 s/1")).toBeVisible();
  expect(asked).toHaveBeenCalledTimes(3);
});
