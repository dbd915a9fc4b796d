import { Hint } from "@/components/Hint";
import { formatCount } from "@/components/numbers/format";
import { t } from "@/words";
import { LABELS, LOCATED, type Located } from "@/words/located";
import classes from "./Located.module.css";

type Counts = Partial<Record<Located, number>>;

/** One bar for each label that occurs; pressing one chooses its questions. */
export function LabelBars({
  counts,
  n,
  chosen,
  choose,
}: {
  counts: Counts;
  n: number;
  chosen: Located | undefined;
  choose: (label: Located | undefined) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame and cannot be a grid everywhere.
    <div className={classes.rows} role="group" aria-label={t("Failures by stage")}>
      {occurring(counts).map(([label, count]) => (
        <button
          key={label}
          type="button"
          className={classes.row}
          aria-pressed={chosen === label}
          onClick={() => choose(chosen === label ? undefined : label)}
        >
          <span>{LOCATED[label]}</span>
          <span className={classes.track}>
            <span className={classes.part} data-label={label} style={{ width: share(count, n) }} />
          </span>
          <span className={classes.count}>{t("{count, number} of {n, number}", { count, n })}</span>
        </button>
      ))}
    </div>
  );
}

/** All labels of a configuration in one bar; the hint lists them. */
export function StackedCounts({ counts, n }: { counts: Counts; n: number }) {
  const found = occurring(counts);
  const text = found.map(([label, count]) => `${LOCATED[label]}: ${formatCount(count)}`).join("; ");
  return (
    <Hint text={text}>
      <span className={classes.stack}>
        {found.map(([label, count]) => (
          <span key={label} className={classes.part} data-label={label} style={{ width: share(count, n) }} />
        ))}
      </span>
    </Hint>
  );
}

function occurring(counts: Counts): [Located, number][] {
  return LABELS.flatMap((label): [Located, number][] => {
    const count = counts[label] ?? 0;
    return count > 0 ? [[label, count]] : [];
  });
}

function share(count: number, n: number): string {
  return `${n > 0 ? (100 * count) / n : 0}%`;
}
