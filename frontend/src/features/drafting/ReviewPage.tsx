import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { draftingQueries, useDecideDraft } from "@/api/drafting";
import type { DecisionRequest, ShownDraft } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { useLeftFocus } from "@/components/focus";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import { type Decision, DraftDesk } from "./DraftDesk";
import { FIRST, type Place, placeIn, queueOf } from "./queue";
import { STATES } from "./words";

const route = getRouteApi("/drafts/$id/review");

/** The review queue: passage on the left, question and answer on the right. */
export function ReviewPage(): ReactNode {
  const { id } = route.useParams();
  const { of: state } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(draftingQueries.detail(id, "all"));
  const [place, setPlace] = useState(FIRST);
  // The last decision stays in reach of the key u, although its draft has left the queue.
  const [last, setLast] = useState<string>();
  const saving = useDecideDraft();
  if (!query.data) return <PageState query={query} height={320} />;
  const drafts = query.data.drafts;
  const queue = queueOf(drafts, state);
  const at = placeIn(queue, place);
  const draft = queue[at];
  if (draft && (draft.draft.key !== place.key || at !== place.at)) setPlace({ key: draft.draft.key, at });
  const go = (next: Place) => {
    saving.reset();
    setPlace(next);
  };
  const show = (next: ShownDraft["state"] | undefined) => {
    go(FIRST);
    void navigate({ search: { of: next } });
  };
  const decide = (of: ShownDraft, decision: Decision) => {
    if (saving.isPending) return;
    const { key } = of.draft;
    const params = { path: { drafting_id: id, key } };
    saving.mutate(
      { params, body: { ...decision, version: of.version } as DecisionRequest },
      {
        onSuccess: () => {
          setLast(key);
          if (decision.kind === "undo") setPlace({ key, at });
        },
      },
    );
  };
  const undone = drafts.find(({ draft: { key }, is_decided }) => key === last && is_decided);
  return (
    <>
      <PageHead
        title={t("Draft review")}
        trail={
          <SmallLink to="/drafts/$id" params={{ id }}>
            {t("Back to drafting")}
          </SmallLink>
        }
      />
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <Select
            label={t("Show")}
            data={[
              { value: "", label: t("Drafts to review") },
              ...Object.entries(STATES).map(([value, label]) => ({ value, label })),
            ]}
            {...bindChoice(state ?? "", (value) =>
              show((value || undefined) as ShownDraft["state"] | undefined),
            )}
          />
          <Quiet role="status">
            {t("{count, plural, one {# draft} other {# drafts}}", { count: queue.length })}
          </Quiet>
        </Group>
        {draft ? (
          <DraftDesk
            key={`${draft.draft.key} ${draft.version}`}
            shown={draft}
            judge={query.data.table.judge}
            undone={undone}
            isSaving={saving.isPending}
            onDecide={decide}
          />
        ) : (
          <Nothing id={id} state={state} states={query.data.table.states} onRefused={() => show("refused")} />
        )}
        <ProblemNotice error={saving.error} />
        {queue.length > 1 && (
          <Steps at={at} count={queue.length} onGo={(next) => go({ key: "", at: next })} />
        )}
      </Stack>
    </>
  );
}

/** The way through the queue, by buttons and arrow keys. */
function Steps({ at, count, onGo }: { at: number; count: number; onGo: (at: number) => void }) {
  const isFirst = at === 0;
  const isLast = at === count - 1;
  useShortcuts([
    ["ArrowLeft", () => isFirst || onGo(at - 1)],
    ["ArrowRight", () => isLast || onGo(at + 1)],
  ]);
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => onGo(at - 1)}>
        {t("Previous draft")}
      </Button>
      <Button variant="default" size="xs" disabled={isLast} onClick={() => onGo(at + 1)}>
        {t("Next draft")}
      </Button>
    </Group>
  );
}

interface NothingProps {
  id: string;
  state: ShownDraft["state"] | undefined;
  /** Drafts by state. */
  states: Record<string, number>;
  onRefused: () => void;
}

/** An empty queue: where the drafts are, and what to do next. */
function Nothing({ id, state, states, onRefused }: NothingProps) {
  const { refused = 0, accepted = 0, edited = 0 } = states;
  const part = useLeftFocus<HTMLDivElement>();
  if (state) return <Text>{t("No drafts match this choice.")}</Text>;
  return (
    <Stack ref={part} tabIndex={-1} gap="sm" align="flex-start">
      <Text>{t("No draft is waiting for your review.")}</Text>
      {refused > 0 && (
        <>
          <Text>
            {t(
              "{count, plural, one {# draft is} other {# drafts are}} refused. Each shows which check refused it; you can correct and accept it.",
              { count: refused },
            )}
          </Text>
          <Button variant="default" onClick={onRefused}>
            {t("Show refused drafts")}
          </Button>
        </>
      )}
      {accepted + edited > 0 && (
        <ButtonLink to="/drafts/$id" params={{ id }}>
          {t("Continue to the dataset")}
        </ButtonLink>
      )}
    </Stack>
  );
}
