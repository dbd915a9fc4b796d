import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Quoted } from "./Quoted";

test("quotes are marked where they stand, and the text stays whole", () => {
  const text = "Rice needs water. Salt harms rice. Water is rare.";
  const { container } = render(
    <Quoted text={text} quotes={["Salt harms rice.", "of another text", "Rice needs", ""]} />,
  );
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "Rice needs",
    "Salt harms rice.",
  ]);
});

test("quotes that overlap are one after the other, without a word twice", () => {
  const { container } = render(
    <Quoted text="one two three four" quotes={["one two three", "two three four"]} />,
  );
  expect(container.textContent).toBe("one two three four");
});
