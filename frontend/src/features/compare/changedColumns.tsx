import { Text } from "@mantine/core";
import type { ChangedQuestion } from "@/api/types";
import { SmallLink } from "@/components/links";
import { withoutMarkdown } from "@/components/Markdown";
import { formatScore } from "@/components/numbers/format";
import { formatGain, isInPoints } from "@/components/numbers/metricFormat";
import { Quiet } from "@/components/Quiet";
import { type Column, countColumn, plainColumn, scoreColumn, textColumn } from "@/components/table";
import { t } from "@/words";

/** Where a question of a run is shown. */
export function openOf(run: string, { number }: ChangedQuestion) {
  return { to: "/runs/$id/questions/$number", params: { id: run, number: String(number + 1) } } as const;
}

/** A question under two configurations, with both answers. */
export function changedColumns(baseline: string, metric: string): Column<ChangedQuestion>[] {
  return [
    textColumn("question", t("Question"), ({ question }) => question),
    countColumn("number", t("No."), ({ number }) => number + 1),
    plainColumn("before", t("Baseline"), ({ before }) => before.value, {
      kind: "number",
      cell: (item) => (
        <SmallLink {...openOf(baseline, item)} title={t("Open baseline answer")}>
          {formatScore(item.before.value)}
        </SmallLink>
      ),
      note: ({ before }) =>
        t("{count, plural, one {# passage} other {# passages}}", { count: before.n_kept }),
    }),
    scoreColumn("here", t("Run"), ({ here }) => here.value, {
      note: ({ here }) => t("{count, plural, one {# passage} other {# passages}}", { count: here.n_kept }),
    }),
    plainColumn(
      "difference",
      isInPoints(metric) ? t("Difference in points") : t("Difference"),
      ({ difference }) => difference,
      { format: formatGain(metric) },
    ),
    {
      id: "answers",
      label: t("Answers"),
      kind: "text",
      value: ({ here, before }) =>
        here.answer === before.answer
          ? (here.answer ?? "")
          : [before.answer, here.answer].map((text) => text ?? t("No answer.")).join(" | "),
      cell: (item) => <Answers item={item} />,
    },
  ];
}

function Answers({ item: { here, before } }: { item: ChangedQuestion }) {
  if (here.answer === before.answer) {
    return <Quiet>{here.answer ? t("Identical answer.") : t("No answer.")}</Quiet>;
  }
  return (
    <>
      <ServerText name={t("Baseline")} text={before.answer} />
      <ServerText name={t("Run")} text={here.answer} />
    </>
  );
}

function ServerText({ name, text }: { name: string; text: string | null }) {
  return (
    <Text size="sm" lineClamp={2} title={text ?? undefined}>
      <Quiet span size="xs">
        {name}:{" "}
      </Quiet>
      {text === null ? t("No answer.") : <bdi>{withoutMarkdown(text)}</bdi>}
    </Text>
  );
}
