import { words } from "@/words";
import { Note } from "./Note";

const FEW = 3;

/** What a reader must know before believing the figures; many are folded behind the first. */
export function Warnings({ title, warnings }: { title: string; warnings: string[] }) {
  if (warnings.length === 0) return null;
  const shown = warnings.slice(0, FEW);
  const folded = warnings.slice(FEW);
  return (
    <Note tone="warn" title={title}>
      {shown.map((warning) => (
        <div key={warning}>{warning}</div>
      ))}
      {folded.length > 0 && (
        <details>
          <summary>{words.errors.more(folded.length)}</summary>
          {folded.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </details>
      )}
    </Note>
  );
}
