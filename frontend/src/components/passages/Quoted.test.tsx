import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Quoted } from "./Quoted";

test("quotes are marked where they stand, and the text stays whole", () => {
  const text = "Rice needs water. Salt harms rice. Water is rare.";
  const { container } = render(
    <Quoted
      text={text}
      document="rice.txt"
      quotes={["Salt harms rice.", "of another text", "Rice needs", ""]}
    />,
  );
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "Rice needs",
    "Salt harms rice.",
  ]);
});

test("quotes that overlap are one after the other, without a word twice", () => {
  const { container } = render(
    <Quoted text="one two three four" document="four.txt" quotes={["one two three", "two three four"]} />,
  );
  expect(container.textContent).toBe("one two three four");
});

test("a passage of a Markdown document has its headings and emphasis in place of their signs", () => {
  const text = "## Salt\nRice **needs** water.\nSalt harms rice.";
  const shown = (document: string) =>
    render(<Quoted text={text} document={document} quotes={["Salt harms rice."]} />).container;
  const markdown = shown("rice.md");
  expect(markdown.textContent).toBe("Salt\nRice needs water.\nSalt harms rice.");
  expect([...markdown.querySelectorAll("strong")].map((strong) => strong.textContent)).toEqual([
    "Salt",
    "needs",
  ]);
  expect(markdown.querySelector("mark")?.textContent).toBe("Salt harms rice.");
  expect(shown("rice.txt").textContent).toBe(text);
});
