import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { draftingQueries } from "@/api/drafting";
import { collectionQueries } from "@/api/materials";
import { ForRole } from "@/components/ForRole";
import { AnchorLink } from "@/components/links";
import { Moment } from "@/components/Moment";
import { NoCollections } from "@/components/NoCollections";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { DraftingForm } from "./DraftingForm";
import { writersOf } from "./words";

const route = getRouteApi("/drafts");

/** New questions from documents, and the draftings so far. */
export function NewDraftingPage(): ReactNode {
  const { collection } = route.useSearch();
  const { data } = useQuery(draftingQueries.list());
  const collections = useQuery(collectionQueries.list());
  const [first, ...others] = collections.data?.items ?? [];
  // Where there is only one to choose, it is chosen.
  const sole = others.length === 0 ? first?.collection.name : undefined;
  return (
    <>
      <PageHead
        title={t("New questions from documents")}
        lead={t(
          "A model reads passages of your documents and writes questions with answers. PaSSER checks each draft; you accept, edit or refuse those that pass.",
        )}
      />
      <Stack gap="lg">
        {collections.isPending ? (
          <Waiting height={320} />
        ) : collections.data?.items.length === 0 ? (
          <NoCollections
            text={t(
              "Questions are written about the passages of a collection. Add documents first, or load an example.",
            )}
          />
        ) : (
          <ForRole>
            <DraftingForm collection={collection ?? sole} />
          </ForRole>
        )}
        {data && data.items.length > 0 && (
          <Panel title={t("Drafting jobs")}>
            <ul>
              {data.items.map(({ table: { assessment, states } }) => (
                <li key={assessment.id}>
                  <AnchorLink to="/drafts/$id" params={{ id: assessment.id }}>
                    {assessment.spec.drafting?.collection ?? assessment.id}
                  </AnchorLink>{" "}
                  <Quiet span>
                    {t("{count} of {target} questions", {
                      count: formatCount((states.accepted ?? 0) + (states.edited ?? 0)),
                      target: formatCount(assessment.spec.drafting?.target ?? 0),
                    })}
                    {" · "}
                    {writersOf(assessment)}
                    {" · "}
                    <Moment at={assessment.created_at} />
                  </Quiet>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </Stack>
    </>
  );
}
