import { Bar, shade } from "@/components/Bar";
import { Hint } from "@/components/Hint";
import { formatCount } from "@/components/numbers/format";
import { t } from "@/words";
import { LABELS, LOCATED, type Located } from "@/words/located";
import classes from "./Located.module.css";

const UNKNOWN = "var(--tick-line)";
const MILD = shade("var(--loss)", 65);
const MILDEST = shade("var(--loss)", 35);

/** Where nothing is said here, the passage was lost. */
const COLORS: Partial<Record<Located, string>> = {
  failed: UNKNOWN,
  unanswerable: UNKNOWN,
  gold_unknown: UNKNOWN,
  prompt_cut: MILD,
  abstained: MILD,
  answer_cut: MILD,
  unscored: UNKNOWN,
  unused: MILDEST,
  used_and_low: MILDEST,
  low: MILDEST,
  fine: "var(--gain)",
};

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
          <Bar parts={[{ name: label, count, color: COLORS[label] ?? "var(--loss)" }]} of={n} />
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
      <Bar
        parts={found.map(([label, count]) => ({ name: label, count, color: COLORS[label] ?? "var(--loss)" }))}
        of={n}
      />
    </Hint>
  );
}

function occurring(counts: Counts): [Located, number][] {
  return LABELS.flatMap((label): [Located, number][] => {
    const count = counts[label] ?? 0;
    return count > 0 ? [[label, count]] : [];
  });
}
