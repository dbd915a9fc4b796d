import type { Figure } from "@/api/types";
import { t } from "@/words";
import classes from "./FigureView.module.css";
import { type Key, keysOf, PALE } from "./keys";
import type { Look } from "./look";

const SIZE = 14;

/** What colours and shapes stand for; a single series needs none. */
export function Legend({ figure, look }: { figure: Figure; look: Look }) {
  const keys = keysOf(figure, look);
  if (keys.length === 0) return null;
  return (
    <ul className={classes.legend} aria-label={t("Legend")}>
      {keys.map((key) => (
        <li key={key.name}>
          <svg width={SIZE} height={SIZE} viewBox="-7 -7 14 14" aria-hidden="true">
            <Shape of={key} />
          </svg>
          {key.name}
        </li>
      ))}
    </ul>
  );
}

function Shape({ of: { path, colour, isDashed, isOutline, isPale } }: { of: Key }) {
  if (isDashed) return <path d={path} stroke={colour} strokeWidth={2} strokeDasharray="4 3" />;
  if (isOutline) return <path d={path} stroke={colour} strokeWidth={1.6} fill="none" />;
  return <path d={path} fill={colour} fillOpacity={isPale ? 2 * PALE : 1} />;
}
