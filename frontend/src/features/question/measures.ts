import type { AnswerAcross, QuestionAcross } from "@/api/types";
import { judgeName } from "@/components/judging/judgeName";
import { formatCount, formatDuration, formatScore } from "@/components/numbers/format";
import { formatGain, formatValue, isInPoints, type Range } from "@/components/numbers/metricFormat";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";

type JudgedValue = AnswerAcross["judged"][number];

/** A column of numbers beside the configurations. */
export interface Measure {
  label: string;
  /** Over all questions of the sweep. */
  mean: string | null;
  value: (item: AnswerAcross) => string | null;
  /** A quiet line below the value. */
  note?: (item: AnswerAcross) => string | null;
}

/** The columns in which at least one configuration has a value. */
export function measuresOf({ metric, means, items }: QuestionAcross, range: Range): Measure[] {
  const all: Measure[] = [
    {
      label: t("Passages"),
      mean: written(means?.kept, (kept) => formatScore(kept, 1)),
      value: ({ cell }) => String(cell.kept),
    },
    {
      label: metric,
      mean: written(means?.score, (score) => formatValue(score, range)),
      value: ({ cell }) => written(cell.score, (score) => formatValue(score, range)),
      note: ({ cell, column }) =>
        cell.score == null
          ? null
          : written(column.mean, (mean) => t("mean {mean}", { mean: formatValue(mean, range) })),
    },
    {
      label: isInPoints(metric) ? t("Gain in points") : t("Gain"),
      mean: null,
      value: ({ cell }) => written(cell.gain, formatGain(metric)),
    },
    {
      label: t("Tokens"),
      mean: written(means?.prompt_tokens, tokensOf),
      value: ({ prompt_tokens }) => written(prompt_tokens, tokensOf),
    },
    {
      label: t("Time"),
      mean: written(means?.generation_s, formatDuration),
      value: ({ generation_s }) => (generation_s ? formatDuration(generation_s) : null),
    },
  ];
  return all.filter(({ value }) => items.some((item) => value(item) !== null));
}

/** What judges say, one line for each, and one for what nobody has rated: its values, then why it has none for the others. */
export function judgedLines(judged: readonly JudgedValue[]): string[] {
  const named = judged.map((each) => ({ ...each, judge: judgeName(each.judge, each.rated) }));
  const judges = [...new Set(named.map(({ judge }) => judge))];
  return judges.flatMap((judge) => {
    const own = named.filter((each) => each.judge === judge);
    const values = own.filter(({ value }) => value !== null);
    const given = values.map(({ column, value }) => `${column} ${formatScore(value as number, 2)}`);
    const missing = [
      ...new Set(own.flatMap(({ value, reason }) => (value === null && reason ? [reason] : []))),
    ];
    const said = [...given, ...missing.map((reason) => reasonOf(reason))];
    return said.length > 0 ? [`${judge}: ${said.join(" · ")}`] : [];
  });
}

function written(value: number | null | undefined, format: (value: number) => string): string | null {
  return value == null ? null : format(value);
}

const tokensOf = (count: number) => formatCount(Math.round(count));
