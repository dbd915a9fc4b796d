import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Tournament } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { Raters } from "./Raters";

const RATER = {
  rater: "Ana",
  total: 5,
  rated: 5,
  cannot_tell: 0,
  both_bad: 0,
  decided: 5,
  first: 4,
  first_interval: null,
  repeated: 0,
  consistent: 0,
  consistent_interval: null,
};

test("choices of fewer than six questions are counted, though they have no interval", async () => {
  const figures = { of: null, games: 5, decided: 5, raters: [RATER], pairs: [], judge: null, ceiling: null };
  stubServer(() => ({ figures, links: [], of: null, ratings: [], comparison: null, aspects: [] }));
  await renderPart(
    <Raters tournament={{ id: "t", entrants: [], sweep_id: null } as unknown as Tournament} />,
  );
  expect(await screen.findByText("4 of 5")).toBeVisible();
  expect(screen.getByText("5 of 5")).toBeVisible();
});
