import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { useLeftFocus } from "./focus";

/** Drafts one after another; a decision replaces the one that has the focused button. */
function Drafts() {
  const [number, setNumber] = useState(1);
  return <Draft key={number} number={number} onDone={() => setNumber(number + 1)} />;
}

function Draft({ number, onDone }: { number: number; onDone: () => void }) {
  const part = useLeftFocus<HTMLElement>();
  return (
    <section ref={part} tabIndex={-1} aria-label={`Draft ${number}`}>
      <button type="button" onClick={onDone}>
        Accept
      </button>
    </section>
  );
}

test("a part takes the focus of the one that it replaces, and none where nothing had it", async () => {
  render(<Drafts />);
  expect(document.body).toHaveFocus();
  await userEvent.click(screen.getByRole("button", { name: "Accept" }));
  expect(screen.getByRole("region", { name: "Draft 2" })).toHaveFocus();
});
