import { Button, Group, Text, TextInput } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Question } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { holds } from "./describe";
import classes from "./Questions.module.css";

const route = getRouteApi("/datasets/$name");
const LIMIT = 100;
const label = words.datasets;

type Numbered = { place: number; question: Question };

/** The questions in order, a page at a time; what is sought and the place stand in the address. */
export function Questions({ questions }: { questions: Question[] }) {
  const { find = "", after = 0 } = route.useSearch();
  const navigate = useNavigate({ from: "/datasets/$name" });
  const found = useMemo(
    () =>
      questions
        .map((question, place): Numbered => ({ place, question }))
        .filter(({ question }) => holds(`${question.text}\n${question.reference}`, find.trim())),
    [questions, find],
  );
  // An address may name a page that a search no longer has.
  const first = after < found.length ? after : 0;
  const shown = found.slice(first, first + LIMIT);
  const seek = (wanted: string) =>
    navigate({
      search: ({ digest }) => ({ digest, find: wanted || undefined }),
      replace: true,
      resetScroll: false,
    });
  const turn = (to: number) =>
    navigate({ search: (search) => ({ ...search, after: to || undefined }), resetScroll: false });
  return (
    <Panel title={label.questions}>
      <Group align="flex-end" gap="md">
        <TextInput
          label={label.find}
          value={find}
          onChange={(event) => seek(event.currentTarget.value)}
          w="min(100%, 22rem)"
        />
        {find !== "" && (
          <Text size="sm" c="var(--quiet)" role="status">
            {found.length > 0
              ? label.found(formatCount(found.length), formatCount(questions.length))
              : label.foundNone}
          </Text>
        )}
      </Group>
      {shown.length > 0 && <Table shown={shown} />}
      {found.length > LIMIT && (
        <Group justify="space-between">
          <Text size="sm" c="var(--quiet)">
            {label.range(
              formatCount(first + 1),
              formatCount(first + shown.length),
              formatCount(found.length),
            )}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              disabled={first === 0}
              onClick={() => turn(Math.max(0, first - LIMIT))}
            >
              {label.previous}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={first + LIMIT >= found.length}
              onClick={() => turn(first + LIMIT)}
            >
              {label.next}
            </Button>
          </Group>
        </Group>
      )}
    </Panel>
  );
}

function Table({ shown }: { shown: Numbered[] }) {
  return (
    <Sheet label={label.questions} bounded>
      <thead>
        <tr>
          <th scope="col" className={cell.number}>
            {label.number}
          </th>
          <th scope="col">{label.question}</th>
          <th scope="col">{label.reference}</th>
          <th scope="col" className={cell.number}>
            {label.gold}
          </th>
          <th scope="col">{label.id}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ place, question }) => (
          <tr key={question.id}>
            <td className={cell.number}>{formatCount(place + 1)}</td>
            <td className={cell.text}>{question.text}</td>
            <td className={cell.text}>
              {question.reference || (
                <Text span size="sm" c="var(--quiet)">
                  {label.noReference}
                </Text>
              )}
            </td>
            <td className={cell.number}>
              <Gold passages={question.gold_passages} />
            </td>
            <td className={classes.id}>{question.id}</td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  );
}

function Gold({ passages }: { passages: Question["gold_passages"] }) {
  const count = formatCount(passages.length);
  if (passages.length === 0) return count;
  const documents = [...new Set(passages.map(({ document }) => document))].join(", ");
  return <abbr title={label.goldOf(documents)}>{count}</abbr>;
}
