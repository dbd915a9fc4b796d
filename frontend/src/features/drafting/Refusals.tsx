import { Text } from "@mantine/core";
import { Bar, shade } from "@/components/Bar";
import { formatCount } from "@/components/numbers/format";
import { t } from "@/words";
import classes from "./drafting.module.css";
import { STAGES } from "./words";

const COLORS = ["var(--quiet)", shade("var(--quiet)", 60)];

/** Refusals by check as one bar, and the same as a list. */
export function Refusals({ refused }: { refused: Record<string, number> }) {
  const stages = Object.entries(STAGES).flatMap(([stage, label]) => {
    const count = refused[stage] ?? 0;
    return count > 0 ? [{ stage, label, count }] : [];
  });
  if (stages.length === 0) return <Text c="var(--quiet)">{t("No draft is refused.")}</Text>;
  return (
    <section aria-label={t("Refused by check")}>
      <Bar
        parts={stages.map(({ label, count }, place) => ({
          name: label,
          count,
          color: COLORS[place % 2] ?? "",
        }))}
      />
      <ul className={classes.stages}>
        {stages.map(({ stage, label, count }) => (
          <li key={stage}>
            {label}: {formatCount(count)}
          </li>
        ))}
      </ul>
    </section>
  );
}
