import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { judgingQueries } from "@/api/judging";
import { Caption } from "@/components/Caption";
import { Messages, Verbatim } from "@/components/evaluation/PromptPanel";
import { QueryState } from "@/components/QueryState";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import classes from "./judging.module.css";

/** One judgement: its parsed reply, and, unfolded, the prompt and the verbatim replies. */
export function Judgement({ id }: { id: string }) {
  const query = useQuery(judgingQueries.judgement(id));
  const [isOpen, setOpen] = useState(false);
  if (!query.data) return <QueryState query={query} height={40} />;
  const { judgement, prompt, replies } = query.data;
  const { task, value, reason, dropped, attempts } = judgement;
  return (
    <Stack gap={4}>
      <Caption>{t("Task {name}", { name: task })}</Caption>
      {reason ? <Text size="sm">{reasonOf(reason)}</Text> : <Parsed value={value} />}
      {dropped > 0 && (
        <Text size="sm" c="var(--warn-text)">
          {t(
            "{count, plural, one {# passage was} other {# passages were}} left out to fit the judge’s context window.",
            { count: dropped },
          )}
        </Text>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t("Prompt and verbatim reply")}</summary>
        {isOpen && (
          <Stack gap="sm">
            {prompt && <Messages messages={prompt.messages} />}
            {replies.map((reply) => (
              <Verbatim key={reply.key} label={t("Reply")} text={reply.raw} />
            ))}
            {attempts > 1 && (
              <Text size="sm">{t("The judge was asked twice because its first reply was invalid.")}</Text>
            )}
          </Stack>
        )}
      </details>
    </Stack>
  );
}

/** The members of a reply by name; members of a schema begin with the letter that orders them. */
function Parsed({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null) return <Text size="sm">{String(value)}</Text>;
  return (
    <dl className={classes.parsed}>
      {Object.entries(value).map(([name, member]) => (
        <div key={name}>
          <dt>{name.replace(/^[a-z]_/, "").replaceAll("_", " ")}</dt>
          <dd>{typeof member === "string" ? member : JSON.stringify(member)}</dd>
        </div>
      ))}
    </dl>
  );
}
