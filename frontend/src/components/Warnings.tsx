import { t } from "@/words";
import { Note } from "./Note";
import { ServerText } from "./ServerText";

const FEW = 3;

/** What a reader must know before believing the figures; many are folded behind the first. */
export function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  const shown = warnings.slice(0, FEW);
  const folded = warnings.slice(FEW);
  return (
    <Note tone="warn" title={t("Warnings")}>
      {shown.map((warning) => (
        <div key={warning}>
          <ServerText text={warning} />
        </div>
      ))}
      {folded.length > 0 && (
        <details>
          <summary>{t("and {count, number} more", { count: folded.length })}</summary>
          {folded.map((warning) => (
            <div key={warning}>
              <ServerText text={warning} />
            </div>
          ))}
        </details>
      )}
    </Note>
  );
}
