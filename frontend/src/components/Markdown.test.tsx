import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { completed, isMarkdown, Markdown } from "./Markdown";

function html(text: string): string {
  return render(<Markdown text={text} />).container.innerHTML;
}

test.each([
  ["Two **bold** and *thin* words", "<p>Two <strong>bold</strong> and <em>thin</em> words</p>"],
  ["- one\n- two\n\nEnd", "<ul><li>one</li><li>two</li></ul><p>End</p>"],
  ["1. one\n2. `two`", "<ol><li>one</li><li><code>two</code></li></ol>"],
  ["## Head\nText\nmore", "<p><strong>Head</strong></p><p>Text<br>more</p>"],
  ["```\n**a**\n```", "<pre>**a**</pre>"],
  ["snake_case_name and 2*3*4", "<p>snake_case_name and 2*3*4</p>"],
])("%s", (text, expected) => {
  expect(html(text)).toBe(expected);
});

test("HTML, scripts and links of an answer stay text", () => {
  const container = render(
    <Markdown text={'<img src=x onerror="alert(1)"> [link](javascript:alert(1)) **<b>x</b>**'} />,
  ).container;
  expect(container.querySelector("img, a, b, script")).toBeNull();
  expect(container.textContent).toContain("[link](javascript:alert(1))");
});

test("plain sentences are no Markdown", () => {
  expect(isMarkdown("Copper is limited to 28 kg.\nSeven years - at most.")).toBe(false);
  expect(isMarkdown("Use:\n- copper")).toBe(true);
});

test.each([
  ["Use **cop", "<p>Use <strong>cop</strong></p>"],
  ["Use **copper**", "<p>Use <strong>copper</strong></p>"],
  ["Use **", "<p>Use</p>"],
  ["Use `28 k", "<p>Use <code>28 k</code></p>"],
  ["- one\n- *tw", "<ul><li>one</li><li><em>tw</em></li></ul>"],
  ["One\n- ", "<p>One</p>"],
  ["One\n##", "<p>One</p>"],
  ["One\n2.", "<p>One</p>"],
  ["One\n``", "<p>One</p>"],
  ["```\n**a", "<pre>**a</pre>"],
  ["2 * 3 is 6, snake_ca", "<p>2 * 3 is 6, snake_ca</p>"],
])("of a text that is still written, %s has no marks left open", (text, expected) => {
  expect(html(completed(text))).toBe(expected);
});

test("a text whose beginning is cut off may close what was opened before", () => {
  expect(html(completed("kg** a year, **at mo", true))).toBe(
    "<p><strong>kg</strong> a year, <strong>at mo</strong></p>",
  );
  expect(html(completed("a year of **clover** in soil", true))).toBe(
    "<p>a year of <strong>clover</strong> in soil</p>",
  );
});
