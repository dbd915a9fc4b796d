import { Text } from "@mantine/core";
import type { ChangedQuestion } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { withoutMarkdown } from "@/components/Markdown";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import { Quiet } from "@/components/Quiet";
import type { Column } from "@/components/table/columns";
import { t } from "@/words";

/** Where a question of a run is shown. */
export function openOf(run: string, { number }: ChangedQuestion) {
  return { to: "/runs/$id/questions/$number", params: { id: run, number: String(number + 1) } } as const;
}

/** A question under two configurations, with both answers. */
export function changedColumns(baseline: string): Column<ChangedQuestion>[] {
  return [
    { id: "question", label: t("Question"), kind: "text", value: ({ question }) => question },
    { id: "number", label: t("No."), value: ({ number }) => number + 1, format: formatCount },
    {
      id: "before",
      label: t("Baseline"),
      kind: "number",
      value: ({ before }) => before.value,
      cell: (item) => (
        <AnchorLink {...openOf(baseline, item)} size="sm" title={t("Open baseline answer")}>
          {formatScore(item.before.value)}
        </AnchorLink>
      ),
      note: ({ before }) =>
        t("{count, plural, one {# passage} other {# passages}}", { count: before.n_kept }),
    },
    {
      id: "here",
      label: t("Run"),
      value: ({ here }) => here.value,
      format: formatScore,
      note: ({ here }) => t("{count, plural, one {# passage} other {# passages}}", { count: here.n_kept }),
    },
    {
      id: "difference",
      label: t("Difference"),
      value: ({ difference }) => difference,
      format: formatDifference,
    },
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
      <Said name={t("Baseline")} text={before.answer} />
      <Said name={t("Run")} text={here.answer} />
    </>
  );
}

function Said({ name, text }: { name: string; text: string | null }) {
  return (
    <Text size="sm" lineClamp={2} title={text ?? undefined}>
      <Quiet span size="xs">
        {name}:{" "}
      </Quiet>
      {text === null ? t("No answer.") : withoutMarkdown(text)}
    </Text>
  );
}
