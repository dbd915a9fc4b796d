import { partsOf } from "@/components/evaluation/support";
import { PassageText } from "./PassageText";

interface Props {
  text: string;
  /** Name of its document. */
  document: string;
  quotes: readonly string[];
}

/** A text with the first place of each of these quotes marked; those that it does not contain are left out. */
export function Quoted({ text, document, quotes }: Props) {
  const found = quotes
    .map((quote) => ({ quote, start: text.indexOf(quote) }))
    .filter(({ quote, start }) => quote !== "" && start >= 0)
    .map(({ quote, start }) => [start, start + quote.length] as const);
  return partsOf(text, found).map(({ start, isIn, text: part }) => {
    const Part = isIn ? "mark" : "span";
    return (
      <Part key={start}>
        <PassageText text={part} document={document} />
      </Part>
    );
  });
}
