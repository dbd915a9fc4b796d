import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { importQueries } from "@/api/imports";
import { inProject } from "@/api/project";
import { comparisonQueries } from "@/api/runs";
import { sweepQueries } from "@/api/sweeps";
import type { CrossDomain } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { ButtonLink, SmallLink } from "@/components/links";
import { Note } from "@/components/Note";
import { Outdated } from "@/components/Outdated";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import type { QuestionSource } from "@/components/results/questionSources";
import { ResultTables } from "@/components/results/ResultTables";
import { sourcesOfSheets, sourcesOfSweep } from "@/components/results/sourcesOf";
import { SaveLinks } from "@/components/SaveLinks";
import { Sentences } from "@/components/Sentences";
import { ServerText } from "@/components/ServerText";
import { useAddress } from "@/components/useAddress";
import { Waiting } from "@/components/Waiting";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";
import { ChoicePanel } from "./ChoicePanel";
import type { Labels } from "./labels";
import { type Choice, isReady, useChoice } from "./useChoice";
import { useStudies } from "./useStudies";

const TITLES = {
  rank: t("Rank of the model in the study by T-CPS at its best threshold"),
  best_threshold: t("Threshold with the largest CPS gain over the baseline"),
  tcps: t("T-CPS at the best threshold, or of the baseline if no threshold has a gain"),
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
          "The same configurations on different questions and documents: best thresholds, gains, rankings, and tests of whether the gain differs.",
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
  const put = useAddress();
  const { first, second, constants, asked } = choice;
  const studies = { first, second, constants, ...(asked.length > 0 ? { label: asked } : {}) };
  const query = useQuery(comparisonQueries.domains(studies));
  const isFresh = query.isSuccess && !query.isPlaceholderData;
  const tables = useQuery({ ...comparisonQueries.domainTables(studies), enabled: isFresh });
  const figures = useQuery({ ...comparisonQueries.domainFigures(studies), enabled: isFresh });
  const sources = useSources(choice, isFresh ? query.data : undefined);
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
          sources={sources}
          shown={table}
          onShow={(name) => put({ table: name })}
        />
      )}
      {figures.data?.items.map((figure) => (
        <FigureView key={figure.id} figure={figure} />
      ))}
    </Outdated>
  );
}

/** The findings of the comparison in sentences, with the data that they are based on. */
function Findings({ crossed }: { crossed: CrossDomain }) {
  const { first, second, pools, statements, control, only_first, only_second, is_comparable } = crossed;
  const apart = [
    only_first.length > 0 &&
      t("Only {study} contains {models}. These models are excluded.", {
        study: first,
        models: only_first.join(", "),
      }),
    only_second.length > 0 &&
      t("Only {study} contains {models}. These models are excluded.", {
        study: second,
        models: only_second.join(", "),
      }),
  ].filter((sentence) => sentence !== false);
  return (
    <Panel title={t("Summary")}>
      {!is_comparable && (
        <Note tone="warn">
          {t(
            "Gains and rankings cannot be compared when the constants differ. Choose joint constants or those of the first study.",
          )}
        </Note>
      )}
      <Sentences size="md" spacing={4} aria-label={t("Summary")} texts={[...statements, ...apart]} />
      <Sentences
        spacing={4}
        aria-label={t("How these figures were computed")}
        c="var(--quiet)"
        texts={pools.map(({ name, rows }) =>
          t("CPS relative to {name}: {rows, plural, one {# row} other {# rows}}.", { name, rows }),
        )}
      />
      {control && (
        <Text size="sm">
          <Text span fw={550} size="sm">
            {t("Other differences")}:
          </Text>{" "}
          <ServerText text={control} />
        </Text>
      )}
    </Panel>
  );
}

/** Begins the id of every import, and of nothing else. */
const IMPORT = /^sheets-/;

/** The configurations of both studies, under the names that they have here, with the way to their questions. */
function useSources(
  { first, second, labels }: { first: string; second: string; labels: Labels },
  crossed: CrossDomain | undefined,
): QuestionSource[] {
  const isEnabled = crossed !== undefined;
  const ours = useStudy(first, labels, isEnabled);
  const theirs = useStudy(second, labels, isEnabled);
  if (!crossed) return [];
  return [
    ...ours.map((sources) => ({ ...sources, domain: crossed.first })),
    ...theirs.map((sources) => ({ ...sources, domain: crossed.second })),
  ];
}

function useStudy(id: string, labels: Labels, isEnabled: boolean): QuestionSource[] {
  const isImport = IMPORT.test(id);
  const imported = useQuery({ ...importQueries.detail(id), enabled: isEnabled && isImport });
  const analysed = useQuery({ ...sweepQueries.analysis(id), enabled: isEnabled && !isImport });
  return useMemo(() => {
    if (imported.data) {
      return sourcesOfSheets(id, imported.data.audit.sheets).map((sources) => ({
        ...sources,
        model: labels[sources.model] ?? sources.model,
      }));
    }
    return sourcesOfSweep(analysed.data?.configurations ?? []);
  }, [id, labels, imported.data, analysed.data]);
}
