import { Text } from "@mantine/core";
import type { ChangedQuestion } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount, formatDifference, formatScore } from "@/components/numbers/format";
import type { Column } from "@/components/table/columns";
import { words } from "@/words";

const label = words.compare;

/** Where a question of a run is shown. */
export function openOf(run: string, { number }: ChangedQuestion) {
  return { to: "/runs/$id/questions/$number", params: { id: run, number: String(number + 1) } } as const;
}

/** A question under two configurations, with both answers. */
export function changedColumns(run: string, baseline: string): Column<ChangedQuestion>[] {
  return [
    {
      id: "question",
      label: label.question,
      cell: (item) => (
        <AnchorLink {...openOf(run, item)} size="sm">
          {item.question}
        </AnchorLink>
      ),
      text: ({ question }) => question,
    },
    {
      id: "number",
      label: label.number,
      isNumber: true,
      cell: ({ number }) => formatCount(number + 1),
      text: ({ number }) => String(number + 1),
    },
    {
      id: "before",
      label: label.before,
      isNumber: true,
      cell: (item) => (
        <>
          <AnchorLink {...openOf(baseline, item)} size="sm" title={label.openBaseline}>
            {formatScore(item.before.value)}
          </AnchorLink>
          <Kept count={item.before.n_kept} />
        </>
      ),
      text: ({ before }) => String(before.value),
    },
    {
      id: "here",
      label: label.here,
      isNumber: true,
      cell: ({ here }) => (
        <>
          {formatScore(here.value)}
          <Kept count={here.n_kept} />
        </>
      ),
      text: ({ here }) => String(here.value),
    },
    {
      id: "difference",
      label: label.difference,
      isNumber: true,
      cell: ({ difference }) => formatDifference(difference),
      text: ({ difference }) => String(difference),
    },
    {
      id: "answers",
      label: label.answers,
      isText: true,
      cell: (item) => <Answers item={item} />,
      text: ({ here, before }) =>
        here.answer === before.answer
          ? (here.answer ?? "")
          : [before.answer, here.answer].map((text) => text ?? label.noAnswer).join(" | "),
    },
  ];
}

function Kept({ count }: { count: number }) {
  return (
    <Text size="xs" c="var(--quiet)">
      {label.kept(formatCount(count))}
    </Text>
  );
}

function Answers({ item: { here, before } }: { item: ChangedQuestion }) {
  if (here.answer === before.answer) {
    return (
      <Text size="sm" c="var(--quiet)">
        {here.answer ? label.sameAnswer : label.noAnswer}
      </Text>
    );
  }
  return (
    <>
      <Said name={label.before} text={before.answer} />
      <Said name={label.here} text={here.answer} />
    </>
  );
}

function Said({ name, text }: { name: string; text: string | null }) {
  return (
    <Text size="sm" lineClamp={2} title={text ?? undefined}>
      <Text span size="xs" c="var(--quiet)">
        {name}:{" "}
      </Text>
      {text ?? label.noAnswer}
    </Text>
  );
}
