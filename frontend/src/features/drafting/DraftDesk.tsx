import { Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useDecideDraft } from "@/api/drafting";
import type { DecisionRequest, ShownDraft } from "@/api/types";
import { formatScore } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import classes from "./drafting.module.css";
import { CHECK_REASONS, REFUSALS, STAGES } from "./words";

interface Props {
  id: string;
  shown: ShownDraft;
  /** The draft that was decided last, which the key u takes back. */
  undone: ShownDraft | undefined;
  onDecided: (key: string) => void;
}

type Reason = keyof typeof REFUSALS;

/** One draft: the passage with its quote marked, question and answer to edit, its checks, and the decision. */
export function DraftDesk({ id, shown, undone, onDecided }: Props) {
  const [question, setQuestion] = useState(shown.question);
  const [answer, setAnswer] = useState(shown.answer);
  const [reason, setReason] = useState<Reason>("wrong");
  const decide = useDecideDraft();
  const send = (of: ShownDraft, body: Omit<DecisionRequest, "version">) => {
    if (decide.isPending) return;
    decide.mutate(
      {
        params: { path: { drafting_id: id, key: of.draft.key } },
        body: { ...body, version: of.version } as DecisionRequest,
      },
      { onSuccess: () => onDecided(of.draft.key) },
    );
  };
  const isEdited = question !== shown.question || answer !== shown.answer;
  const accept = () => send(shown, isEdited ? { kind: "edit", question, answer } : { kind: "accept" });
  const refuse = () => send(shown, { kind: "refuse", reason });
  const takeBack = () => undone && send(undone, { kind: "undo" });
  useShortcuts([
    ["a", accept],
    ["e", () => document.getElementById("drafted-question")?.focus()],
    ["r", refuse],
    ["u", takeBack],
  ]);
  return (
    <div className={classes.desk}>
      <section aria-label={t("Passage")}>
        <Stack gap="xs">
          <h2>{t("Passage from {document}", { document: shown.draft.excerpt.document })}</h2>
          <p className={classes.passage}>{marked(shown)}</p>
        </Stack>
      </section>
      <section aria-label={t("Draft")}>
        <Stack gap="sm">
          <Textarea
            id="drafted-question"
            label={t("Question")}
            autosize
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          <Textarea
            label={t("Reference answer")}
            autosize
            maxRows={10}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
          />
          <Checks shown={shown} />
          <Group gap="xs" align="flex-end">
            <Button onClick={accept} disabled={question.trim() === ""} loading={decide.isPending}>
              {isEdited ? t("Accept with changes") : t("Accept draft")}
            </Button>
            <Select
              label={t("Reason")}
              data={Object.entries(REFUSALS).map(([value, label]) => ({ value, label }))}
              value={reason}
              onChange={(next) => setReason((next ?? "wrong") as Reason)}
              allowDeselect={false}
            />
            <Button variant="default" onClick={refuse}>
              {t("Refuse draft")}
            </Button>
            <Button variant="default" onClick={takeBack} disabled={!undone}>
              {t("Undo last decision")}
            </Button>
          </Group>
          {decide.error && <ProblemNotice error={decide.error} />}
          <Text size="xs" c="var(--quiet)">
            {t("Keys: a accept, e edit, r refuse with the chosen reason, u undo the last decision")}
          </Text>
        </Stack>
      </section>
    </div>
  );
}

/** The checks in order, with the value or the reason of each. */
function Checks({ shown: { draft } }: { shown: ShownDraft }) {
  return (
    <ul className={classes.stages} aria-label={t("Checks")}>
      {draft.checks.map(({ stage, passed, value, limit, reason }) => (
        <li key={stage}>
          {passed ? "✓" : "✗"} {STAGES[stage]}
          {value != null && ` ${formatScore(value)}`}
          {!passed && value != null && limit != null && ` < ${formatScore(limit)}`}
          {!passed && reason && ` – ${CHECK_REASONS[reason] ?? reason}`}
        </li>
      ))}
    </ul>
  );
}

/** The passage with the gold quotes marked. */
function marked({ draft: { excerpt, gold } }: ShownDraft): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const start of gold.map(({ quote }) => excerpt.text.indexOf(quote)).sort((a, b) => a - b)) {
    const quote = gold.find((each) => excerpt.text.indexOf(each.quote) === start)?.quote ?? "";
    if (start < from) continue;
    parts.push(excerpt.text.slice(from, start), <mark key={start}>{quote}</mark>);
    from = start + quote.length;
  }
  return [...parts, excerpt.text.slice(from)];
}
