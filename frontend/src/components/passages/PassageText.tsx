import { MarkdownLines } from "@/components/Markdown";

/** The text of a passage, or a part of it; the signs of Markdown are shown as headings and emphasis in such documents only. */
export function PassageText({ text, document }: { text: string; document: string }) {
  return /\.(md|markdown)$/iu.test(document) ? <MarkdownLines text={text} /> : text;
}
