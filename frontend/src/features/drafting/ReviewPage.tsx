import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { draftingQueries, useDecideDraft } from "@/api/drafting";
import type { DecisionRequest, ShownDraft } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
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
  if (query.isPending) return <Waiting height={320} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const drafts = query.data.drafts;
  const queue = queueOf(drafts, state);
  const at = placeIn(queue, place);
  const draft = queue[at];
  if (draft && (draft.draft.key !== place.key || at !== place.at)) setPlace({ key: draft.draft.key, at });
  const go = (next: Place) => {
    saving.reset();
    setPlace(next);
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
        title={t("Review drafts")}
        trail={
          <AnchorLink to="/drafts/$id" params={{ id }} size="sm">
            {t("Back to the drafting")}
          </AnchorLink>
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
            value={state ?? ""}
            onChange={(next) => {
              go(FIRST);
              void navigate({ search: { of: (next || undefined) as ShownDraft["state"] | undefined } });
            }}
            allowDeselect={false}
          />
          <Text size="sm" c="var(--quiet)" role="status">
            {t("{count, plural, one {# draft} other {# drafts}}", { count: queue.length })}
          </Text>
        </Group>
        {draft ? (
          <DraftDesk
            key={`${draft.draft.key} ${draft.version}`}
            shown={draft}
            undone={undone}
            isSaving={saving.isPending}
            onDecide={decide}
          />
        ) : (
          <Text>{t("No drafts match this choice.")}</Text>
        )}
        {saving.error && <ProblemNotice error={saving.error} />}
        {queue.length > 1 && (
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              disabled={at === 0}
              onClick={() => go({ key: "", at: at - 1 })}
            >
              {t("Previous draft")}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={at === queue.length - 1}
              onClick={() => go({ key: "", at: at + 1 })}
            >
              {t("Next draft")}
            </Button>
          </Group>
        )}
      </Stack>
    </>
  );
}
