import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { QueueEnd } from "./Queue";

test("what was skipped and what others have open are two paragraphs", () => {
  const places = (["free", "reserved", "reserved", "complete"] as const).map((availability, place) => ({
    id: String(place),
    is_rated: false,
    availability,
  }));
  const { rerender } = render(<button type="button">Rate</button>);
  screen.getByRole("button").focus();
  rerender(
    <MantineProvider env="test">
      <QueueEnd places={places} isBusy={false} done="All rated." onNext={() => {}} onBack={() => {}} />
    </MantineProvider>,
  );
  // Loose texts side by side would run together without a space.
  expect(screen.getByText(/^This is the end of the list\. 1 answer is not rated yet\.$/)).toBeVisible();
  expect(screen.getByText(/^2 answers are reserved for another rater/)).toBeVisible();
  expect(screen.queryByText("All rated.")).toBeNull();
  // The previous answer had the focus and was removed, so Tab continues from here.
  expect(screen.getByRole("status")).toContainElement(document.activeElement as HTMLElement);
});
