import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { draftingQueries } from "@/api/drafting";
import type { ShownDraft } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { NoPage } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { DraftDesk } from "./DraftDesk";
import { STATES } from "./words";

const route = getRouteApi("/drafts/$id/review");

/** The drafts to look at: those that wait, then those drawn at random; or all drafts of one state. */
function queueOf(drafts: readonly ShownDraft[], state: ShownDraft["state"] | undefined) {
  if (state) return drafts.filter((each) => each.state === state);
  const isOpen = (each: ShownDraft) => !each.is_decided && (each.state === "waiting" || each.is_drawn);
  return drafts.filter(isOpen).sort((one, other) => Number(other.is_drawn) - Number(one.is_drawn));
}

/** The review queue: passage on the left, question and answer on the right. */
export function ReviewPage(): ReactNode {
  const { id } = route.useParams();
  const { of: state } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(draftingQueries.detail(id, "all"));
  const [place, setPlace] = useState(0);
  // The last decision stays in reach of the key u, although its draft has left the queue.
  const [last, setLast] = useState<string>();
  if (query.isPending) return <Waiting height={320} />;
  if (!query.data) return <NoPage error={query.error} onRetry={() => query.refetch()} />;
  const drafts = query.data.drafts;
  const queue = queueOf(drafts, state);
  const at = Math.min(place, Math.max(0, queue.length - 1));
  const draft = queue[at];
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
              { value: "", label: t("Drafts to decide") },
              ...Object.entries(STATES).map(([value, label]) => ({ value, label })),
            ]}
            value={state ?? ""}
            onChange={(next) => {
              setPlace(0);
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
            id={id}
            shown={draft}
            undone={undone}
            onDecided={setLast}
          />
        ) : (
          <Text>{t("No draft is left here.")}</Text>
        )}
        {queue.length > 1 && (
          <Group gap="xs">
            <Button variant="default" size="xs" disabled={at === 0} onClick={() => setPlace(at - 1)}>
              {t("Previous draft")}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={at === queue.length - 1}
              onClick={() => setPlace(at + 1)}
            >
              {t("Next draft")}
            </Button>
          </Group>
        )}
      </Stack>
    </>
  );
}
