import { t } from "@/words";
import { Note } from "./Note";
import { ServerText } from "./ServerText";

const FEW = 3;

/** What a reader must know before believing the figures; many are folded behind the first. */
export function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  const folded = warnings.slice(FEW);
  return (
    <Note tone="warn" title={t("Warnings")}>
      <Lines texts={warnings.slice(0, FEW)} />
      {folded.length > 0 && (
        <details>
          <summary>{t("and {count, number} more", { count: folded.length })}</summary>
          <Lines texts={folded} />
        </details>
      )}
    </Note>
  );
}

/** Texts of the server, each on a line of its own. */
export function Lines({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <div key={text}>
      <ServerText text={text} />
    </div>
  ));
}
