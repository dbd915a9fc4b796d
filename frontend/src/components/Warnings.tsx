import { words } from "@/words";
import { Note } from "./Note";
import { Said, type Wordings } from "./Said";

const FEW = 3;

interface Props {
  title: string;
  warnings: string[];
  wordings: Wordings;
}

/** What a reader must know before believing the figures; many are folded behind the first. */
export function Warnings({ title, warnings, wordings }: Props) {
  if (warnings.length === 0) return null;
  const shown = warnings.slice(0, FEW);
  const folded = warnings.slice(FEW);
  return (
    <Note tone="warn" title={title}>
      {shown.map((warning) => (
        <div key={warning}>
          <Said text={warning} wordings={wordings} />
        </div>
      ))}
      {folded.length > 0 && (
        <details>
          <summary>{words.errors.more(folded.length)}</summary>
          {folded.map((warning) => (
            <div key={warning}>
              <Said text={warning} wordings={wordings} />
            </div>
          ))}
        </details>
      )}
    </Note>
  );
}
