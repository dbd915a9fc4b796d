import classes from "./Bar.module.css";

interface Props {
  /** What each part counts, and a colour of the page. */
  parts: readonly { name: string; count: number; color: string }[];
  /** The total of the bar, if it is not the sum of the parts. */
  of?: number;
}

/** A bar divided by counts. Screen readers skip it, so the caller also writes the counts as text. */
export function Bar({ parts, of }: Props) {
  const whole = of ?? parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <span className={classes.bar} aria-hidden>
      {parts.map(({ name, count, color }) => (
        <span key={name} style={{ width: whole > 0 ? `${(100 * count) / whole}%` : 0, background: color }} />
      ))}
    </span>
  );
}

/** A weaker shade of a colour, in per cent of it. */
export const shade = (color: string, percent: number): string =>
  `color-mix(in srgb, ${color} ${percent}%, var(--surface))`;
