import { Button, Group, Select, Stack, Textarea } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useRef, useState } from "react";
import type { DecisionRequest, Sending, ShownDraft } from "@/api/types";
import { bindChoice, bindText } from "@/components/fields";
import { useLeftFocus } from "@/components/focus";
import { formatScore } from "@/components/numbers/format";
import { Quoted } from "@/components/passages/Quoted";
import { Quiet } from "@/components/Quiet";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import classes from "./drafting.module.css";
import { CHECK_REASONS, REFUSALS, STAGES } from "./words";

export type Decision = Omit<Sending<DecisionRequest>, "version">;

interface Props {
  shown: ShownDraft;
  /** The model that checked the draft, and whether people have checked it; null if none did. */
  judge: string | null;
  /** The draft that was decided last, whose decision the key u withdraws. */
  undone: ShownDraft | undefined;
  isSaving: boolean;
  onDecide: (draft: ShownDraft, decision: Decision) => void;
}

type Reason = keyof typeof REFUSALS;
type Check = ShownDraft["draft"]["checks"][number];

/** One draft: the passage with its quote marked, question and answer to edit, its checks, and the decision. */
export function DraftDesk({ shown, judge, undone, isSaving, onDecide }: Props) {
  const [question, setQuestion] = useState(shown.question);
  const [answer, setAnswer] = useState(shown.answer);
  const [reason, setReason] = useState<Reason>("wrong");
  const field = useRef<HTMLTextAreaElement>(null);
  const passage = useLeftFocus<HTMLElement>();
  const isEdited = question !== shown.question || answer !== shown.answer;
  const accept = () => onDecide(shown, isEdited ? { kind: "edit", question, answer } : { kind: "accept" });
  const refuse = () => onDecide(shown, { kind: "refuse", reason });
  const takeBack = () => undone && onDecide(undone, { kind: "undo" });
  useShortcuts([
    ["a", accept],
    ["e", () => field.current?.focus()],
    ["r", refuse],
    ["u", takeBack],
  ]);
  // Also from the two fields, so that the hands stay on the keyboard.
  useHotkeys([["mod+Enter", () => question.trim() !== "" && accept()]], []);
  return (
    <div className={classes.desk}>
      <section ref={passage} tabIndex={-1} aria-label={t("Passage")}>
        <Stack gap="xs">
          <h2>{t("Passage from {document}", { document: shown.draft.excerpt.document })}</h2>
          <p className={classes.passage}>
            <Quoted
              text={shown.draft.excerpt.text}
              document={shown.draft.excerpt.document}
              quotes={shown.draft.gold.map(({ quote }) => quote)}
            />
          </p>
        </Stack>
      </section>
      <section aria-label={t("Draft")}>
        <Stack gap="sm">
          <Textarea ref={field} label={t("Question")} autosize {...bindText(question, setQuestion)} />
          <Textarea
            label={t("Reference answer")}
            description={
              answer.trim() === ""
                ? t("Without a reference answer, the question gets an answer but no scores.")
                : undefined
            }
            autosize
            maxRows={10}
            {...bindText(answer, setAnswer)}
          />
          <Checks shown={shown} judge={judge} />
          <Group gap="xs">
            <Button onClick={accept} disabled={question.trim() === ""} loading={isSaving}>
              {isEdited ? t("Accept with changes") : t("Accept draft")}
            </Button>
            <Button variant="default" onClick={takeBack} disabled={!undone}>
              {t("Undo last decision")}
            </Button>
          </Group>
          <Group gap="xs" align="flex-end">
            <Select
              label={t("Reason")}
              data={Object.entries(REFUSALS).map(([value, label]) => ({ value, label }))}
              {...bindChoice(reason, setReason)}
            />
            <Button variant="default" onClick={refuse}>
              {t("Refuse draft")}
            </Button>
          </Group>
          <Quiet size="xs">
            {t(
              "Keys: a accepts, e edits, Ctrl+Enter accepts also while you edit, r refuses with the chosen reason, u undoes the last decision, ← and → show other drafts.",
            )}
          </Quiet>
        </Stack>
      </section>
    </div>
  );
}

/** The checks in order, with the value or the reason of each. */
function Checks({ shown: { draft }, judge }: Pick<Props, "shown" | "judge">) {
  return (
    <ul className={classes.stages} aria-label={t("Checks")}>
      {judge && <li>{t("Judged by {judge}", { judge })}</li>}
      {draft.checks.map((check) => (
        <li key={check.stage}>
          {check.passed ? "✓" : "✗"} {STAGES[check.stage]} {measured(check)}
          {!check.passed && check.reason && ` – ${CHECK_REASONS[check.reason] ?? check.reason}`}
        </li>
      ))}
    </ul>
  );
}

/** The value of a check, and the limit that it missed. */
function measured({ passed, value, limit }: Check): string | null {
  if (value == null) return null;
  const score = formatScore(value);
  return passed || limit == null ? score : t("{score}, limit {limit}", { score, limit: formatScore(limit) });
}
