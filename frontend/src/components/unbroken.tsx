import { Fragment, type ReactNode } from "react";

/** A line ends neither within "Top-k 10", "0.30–0.60" or the name of a metric, nor between a sign and its number. */
const WHOLE =
  /((?:Top-k|top-k)(?: \d+)?|[\d.,]*\d–[\d.,]*\d|[≥≤<>=] ?\d+(?:[.,]\d+)*|T-CPS|B-RT[.\w]*|Bert-Score[.\w]*|Rouge-\w[.\w]*)/;

/** The same text, in which the end of a line does not part what belongs together. */
export function unbroken(text: string): ReactNode {
  const parts = text.split(WHOLE);
  if (parts.length === 1) return text;
  return parts.map((part, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <span key={place} style={{ whiteSpace: "nowrap" }}>
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <Fragment key={place}>{part}</Fragment>
    ),
  );
}
