import { Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { sweepQueries } from "@/api/sweeps";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { ButtonLink } from "@/components/links";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { SweepTable } from "./SweepTable";

const route = getRouteApi("/");

export function SweepsPage(): ReactNode {
  const { after } = route.useSearch();
  const sweeps = useQuery(sweepQueries.page(after));
  const items = sweeps.data?.items;
  return (
    <>
      <PageHead
        title={t("Sweeps")}
        lead={t("A sweep runs one dataset with several configurations and shows which performs best.")}
        actions={items && items.length > 0 ? <ButtonLink to="/new">{t("New sweep")}</ButtonLink> : null}
      />
      {sweeps.isPending && <Waiting height={160} />}
      {sweeps.isError && <ProblemNotice error={sweeps.error} onRetry={() => sweeps.refetch()} />}
      {items?.length === 0 && !sweeps.isError && <Empty />}
      {items && items.length > 0 && (
        <Stack gap="sm">
          <SweepTable items={items} />
          {sweeps.data?.next && (
            <Group justify="center">
              <ButtonLink to="/" search={{ after: sweeps.data.next }} variant="default" size="xs">
                {t("Show older sweeps")}
              </ButtonLink>
            </Group>
          )}
        </Stack>
      )}
    </>
  );
}

/** Nothing yet: what to do next. */
function Empty() {
  return (
    <EmptyState
      title={t("No sweeps yet")}
      text={t(
        "A sweep needs documents and questions with reference answers. Use your own files, or load an example with both.",
      )}
    >
      <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
      <Examples />
    </EmptyState>
  );
}
