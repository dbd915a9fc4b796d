import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SweepDetail } from "@/api/types";
import type { Selection } from "@/components/table/useRows";
import { renderPart } from "@/test-page";
import { TickedActs } from "./TickedActs";

const sweep = (id: string, runs: number) =>
  ({
    id,
    name: id,
    runs: Array.from({ length: runs }, (_, place) => ({ id: `${id}-${place}`, acts: [], counts: {} })),
  }) as unknown as SweepDetail;

async function tick(...items: SweepDetail[]) {
  const keys = items.map(({ id }) => id);
  const selection = { keys, has: (key: string) => keys.includes(key) } as unknown as Selection;
  await renderPart(<TickedActs selection={selection} items={items} />);
}

test("all runs of two ticked sweeps are compared, one alone is copied", async () => {
  await tick(sweep("a", 2), sweep("b", 1));
  expect(screen.getByRole("link", { name: "Compare" })).toHaveAttribute(
    "href",
    "/compare?runs=a-0%7Ea-1%7Eb-0",
  );
  expect(screen.queryByRole("link", { name: "Copy as new sweep" })).toBeNull();
});

test("more runs than a comparison may have are not offered", async () => {
  await tick(sweep("a", 20), sweep("b", 1));
  expect(screen.queryByRole("link", { name: "Compare" })).toBeNull();
});
