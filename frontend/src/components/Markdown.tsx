import { Fragment, type ReactNode } from "react";

const INLINE = /(\*\*|__)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])([*_])(?=\S)(.+?)(?<=\S)\3(?![\w*])|`([^`]+)`/gu;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/u;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/u;
const HEADING = /^#{1,6}\s+(.*)$/u;

/** Whether a text is more than plain paragraphs. */
export function isMarkdown(text: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)]|#{1,6})\s+\S|\*\*\S|^```|`[^`]+`/mu.test(text);
}

/** Emphasis and code of a line; everything else is text, so that nothing of a model's answer becomes HTML. */
function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, , strong, , em, code] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    if (strong !== undefined) parts.push(<strong key={match.index}>{inline(strong)}</strong>);
    else if (em !== undefined) parts.push(<em key={match.index}>{inline(em)}</em>);
    else parts.push(<code key={match.index}>{code}</code>);
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

/** A line without the signs of emphasis and code; one whose end is cut off is removed too. */
function bare(line: string): string {
  const text = line.replace(INLINE, (_whole, _strong, strong, _em, em, code) => code ?? bare(strong ?? em));
  return text.replace(/(?<!\w)(?:\*\*|__)(?=\S)/gu, "");
}

/** The text alone, in one line: what a list of answers shows of each. */
export function withoutMarkdown(text: string): string {
  return blocksOf(text)
    .flatMap(({ kind, lines }) =>
      kind === "pre" ? lines : lines.filter((line) => !RULE.test(line)).map(bare),
    )
    .map((line) => line.trim())
    .join(" ");
}

interface Block {
  kind: "p" | "ul" | "ol" | "h" | "pre";
  lines: string[];
  start: number;
  /** Code whose end is missing. */
  isOpen?: boolean;
}

/** What a line is, and its text without the signs that say so. */
function read(line: string): { kind: Exclude<Block["kind"], "pre">; text: string } {
  const [, number, item] = ITEM.exec(line) ?? [];
  if (item !== undefined) return { kind: number === undefined ? "ul" : "ol", text: item };
  const [, heading] = HEADING.exec(line) ?? [];
  return heading === undefined ? { kind: "p", text: line } : { kind: "h", text: heading };
}

/** Lines of one kind together; an empty line ends a block, and a fence begins and ends code. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let last: Block | undefined;
  const begin = (kind: Block["kind"], start: number) => {
    last = { kind, lines: [], start };
    blocks.push(last);
    return last;
  };
  text.split("\n").forEach((line, start) => {
    const isFence = line.startsWith("```");
    if (last?.kind === "pre") {
      if (!isFence) last.lines.push(line);
      else {
        last.isOpen = false;
        last = undefined;
      }
    } else if (isFence) begin("pre", start).isOpen = true;
    else if (line.trim() === "") last = undefined;
    else {
      const { kind, text } = read(line);
      const block = last?.kind === kind && kind !== "h" ? last : begin(kind, start);
      block.lines.push(text);
    }
  });
  return blocks;
}

/** A mark that opens emphasis or code, or closes it. */
const OPENS = /(?<![\w*])(\*\*|__|[*_`])(?=\S)/u;
const CLOSES = /^.*?(?<=\S)(\*\*|__|[*_`])(?![\w*])/u;
/** Signs at the end of a text that is still written: of a mark, a heading, a list or a fence whose text is to come. */
const TO_COME = /(?:^[ \t]*(?:[-+*]|\d+[.)]|#{1,6}))?[ \t]*[*_`]*$/mu;

/** A text that a model still writes, with its last mark closed, and its first one opened where the beginning is cut off. */
export function completed(text: string, isCut = false): string {
  if (blocksOf(text).at(-1)?.isOpen) return text;
  const lines = text.split("\n");
  const last = lines.length - 1;
  const end = unmarked(lines[last] ?? "").replace(TO_COME, "");
  const line = (lines[last] ?? "").slice(0, end.length);
  lines[last] = line + (OPENS.exec(end)?.[1] ?? "");
  const first = lines[0] ?? "";
  if (isCut) lines[0] = (CLOSES.exec(unmarked(first))?.[1] ?? "") + first;
  return lines.join("\n");
}

/** A line of the same length without its whole marks. */
function unmarked(line: string): string {
  return line.replace(INLINE, (whole) => "x".repeat(whole.length));
}

/** Paragraphs, lists, headings, emphasis and code; links, images and HTML stay text. */
export function Markdown({ text }: { text: string }) {
  return blocksOf(text).map(({ kind, lines, start }) => {
    if (kind === "pre") return <pre key={start}>{lines.join("\n")}</pre>;
    if (kind === "h") {
      return (
        <p key={start}>
          <strong>{inline(lines.join(" "))}</strong>
        </p>
      );
    }
    if (kind === "p") return <p key={start}>{broken(lines)}</p>;
    const List = kind;
    return (
      <List key={start}>
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items of a text never move
          <li key={place}>{inline(line)}</li>
        ))}
      </List>
    );
  });
}

/** A part of a Markdown document, line by line as it is: headings and emphasis are shown without their signs. */
export function MarkdownLines({ text }: { text: string }) {
  return text.split("\n").map((line, place) => {
    const [, heading] = HEADING.exec(line) ?? [];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text never move
      <Fragment key={place}>
        {place > 0 && "\n"}
        {heading === undefined ? inline(line) : <strong>{inline(heading)}</strong>}
      </Fragment>
    );
  });
}

function broken(lines: string[]): ReactNode {
  return lines.map((line, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text never move
    <Fragment key={place}>
      {place > 0 && <br />}
      {inline(line)}
    </Fragment>
  ));
}
