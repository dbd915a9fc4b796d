import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { inProject } from "@/api/project";
import { comparisonQueries } from "@/api/runs";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink, SmallLink } from "@/components/links";
import { Outdated } from "@/components/Outdated";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { ResultTables } from "@/components/results/ResultTables";
import { SaveLinks } from "@/components/SaveLinks";
import { Waiting } from "@/components/Waiting";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";
import { ChoicePanel } from "./ChoicePanel";
import { Findings } from "./Findings";
import { useBehind } from "./useBehind";
import { type Choice, isReady, useChoice } from "./useChoice";
import { useStudies } from "./useStudies";

const TITLES = {
  rank: t("Rank of the model in the study by T-CPS at its best threshold"),
  best_threshold: t("Threshold with the largest CPS gain over the baseline"),
  tcps: t("T-CPS at the best threshold, or of the baseline if no threshold gains"),
  mean_passages: t("Mean passages kept at the best threshold"),
  similarity_percentile: t(
    "Share of retrieved passages with a similarity below the best threshold; comparable between collections",
  ),
  n: t("Questions compared at the best threshold"),
  shift_of_threshold: t("Best threshold: second study − first study"),
  p_max_t: t("Thresholds with a significantly different gain (permutation of domain labels, max-T)"),
};
const CONSTANTS_OF = {
  joint: t("Joint: both studies together"),
  first: t("First study", {}, "field"),
  own: t("Separate for each study"),
};

const route = getRouteApi("/analysis/domains");

/** Two studies side by side; which ones, and on which constants, stands in the address. */
export function CrossingPage(): ReactNode {
  const studies = useStudies();
  const choice = useChoice(studies.all);
  return (
    <>
      <PageHead
        title={t("Domain comparison")}
        trail={<SmallLink to="/analysis">{t("Analysis")}</SmallLink>}
        lead={t(
          "The same configurations on different questions and documents: best thresholds, gains, rankings, and tests of whether the gain differs (RQ3).",
        )}
      />
      <Stack gap="lg">
        {studies.isPending && <Waiting height={160} />}
        {studies.error != null && <ProblemNotice error={studies.error} onRetry={studies.retry} />}
        {studies.isReady && !studies.hasPair && !choice.first && (
          <EmptyState
            title={t("No studies to compare")}
            text={t(
              "Run the same configurations on a second collection with its own questions, or import the result sheets of another study. Then compare two sweeps or two imports.",
            )}
          >
            <Group gap="xs">
              <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
              <ButtonLink to="/analysis" variant="default">
                {t("Import result sheets")}
              </ButtonLink>
            </Group>
          </EmptyState>
        )}
        {studies.isReady && (studies.hasPair || choice.first) && (
          <ChoicePanel studies={studies.all} choice={choice} />
        )}
        {studies.isReady && studies.hasPair && !isReady(choice) && (
          <Text>{t("Choose two studies of one type: two sweeps or two imports.")}</Text>
        )}
        {isReady(choice) && <Crossed choice={choice} />}
      </Stack>
    </>
  );
}

function Crossed({ choice }: { choice: Choice & { first: string; second: string } }) {
  const { table } = route.useSearch();
  const navigate = useNavigate({ from: "/analysis/domains" });
  const { first, second, constants, asked } = choice;
  const studies = { first, second, constants, ...(asked.length > 0 ? { label: asked } : {}) };
  const query = useQuery(comparisonQueries.domains(studies));
  const isFresh = query.isSuccess && !query.isPlaceholderData;
  const tables = useQuery({ ...comparisonQueries.domainTables(studies), enabled: isFresh });
  const figures = useQuery({ ...comparisonQueries.domainFigures(studies), enabled: isFresh });
  const behind = useBehind(choice, isFresh ? query.data : undefined);
  const fileOf = (name: string, format: string) => {
    const search = new URLSearchParams({ first, second, constants, table: name, format });
    for (const each of asked) search.append("label", each);
    return inProject(`/api/v1/cross-domain/export?${search}`);
  };
  if (query.isError) return <ProblemNotice error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) {
    return (
      <>
        <Text role="status">{t("Comparing the two studies. This takes a few seconds.")}</Text>
        <Waiting height={320} />
      </>
    );
  }
  return (
    <Outdated isOld={!isFresh}>
      <Findings crossed={query.data} />
      {[tables, figures].map(
        (part, place) =>
          part.isError && (
            <ProblemNotice
              key={place ? "figures" : "tables"}
              error={part.error}
              onRetry={() => part.refetch()}
            />
          ),
      )}
      {tables.data && (
        <ResultTables
          tables={tables.data.items}
          basis={`${t("Minimum and maximum")}: ${CONSTANTS_OF[constants]}.`}
          save={(name, title) => <SaveLinks title={title} fileOf={(format) => fileOf(name, format)} />}
          titles={TITLES}
          behind={behind}
          shown={table}
          onShow={(name) =>
            navigate({ search: (search) => ({ ...search, table: name }), replace: true, resetScroll: false })
          }
        />
      )}
      {figures.data?.items.map((figure) => (
        <FigureView key={figure.id} figure={figure} />
      ))}
    </Outdated>
  );
}
