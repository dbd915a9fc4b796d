import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ServerText } from "./ServerText";

vi.hoisted(() => localStorage.setItem("passer.language", "bg"));

test("a sentence in the reader's language is shown as it is", () => {
  render(
    <p>
      <ServerText text="Няма изпълнение „x“. `passer runs` показва всички изпълнения." />
    </p>,
  );
  expect(screen.getByText(/^Няма изпълнение/)).not.toHaveAttribute("lang");
});

test("a command within a sentence is set as code, without its marks", () => {
  render(<ServerText text="Изпълнете `passer verify` с --roots." />);
  expect(screen.getByText("passer verify").tagName).toBe("CODE");
  expect(document.body).toHaveTextContent("Изпълнете passer verify с --roots.");
});

test("a sentence that is known in English only is marked as English", () => {
  render(<ServerText text="Start the model server at http://gpu:11434." />);
  expect(screen.getByText(/^Start the model server/)).toHaveAttribute("lang", "en");
});
