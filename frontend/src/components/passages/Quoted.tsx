import { partsOf } from "@/components/evaluation/support";

interface Props {
  text: string;
  quotes: readonly string[];
}

/** A text with the first place of each of these quotes marked; those that it does not contain are left out. */
export function Quoted({ text, quotes }: Props) {
  const found = quotes
    .map((quote) => ({ quote, start: text.indexOf(quote) }))
    .filter(({ quote, start }) => quote !== "" && start >= 0)
    .map(({ quote, start }) => [start, start + quote.length] as const);
  return partsOf(text, found).map((part) =>
    part.isIn ? <mark key={part.start}>{part.text}</mark> : <span key={part.start}>{part.text}</span>,
  );
}
