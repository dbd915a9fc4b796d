import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { datasetQueries } from "@/api/materials";
import type { Dataset, DatasetSummary } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { forRole } from "@/components/ForRole";
import { AnchorLink, ButtonLink, SmallLink } from "@/components/links";
import { AddQuestions } from "@/components/material/AddQuestions";
import { DeleteMaterial } from "@/components/material/DeleteMaterial";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { useArrival } from "@/components/useArrival";
import { useFormState } from "@/components/useFormState";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import { ImportAnswers } from "./ImportAnswers";
import { Judged } from "./Judged";
import { OverTime } from "./OverTime";
import { Questions } from "./Questions";
import { Statistics } from "./Statistics";
import { Versions } from "./Versions";

const route = getRouteApi("/datasets/$name");

/** One dataset: its questions, what they are like, its versions. */
export function DatasetPage(): ReactNode {
  const { name } = route.useParams();
  const { digest } = route.useSearch();
  const query = useQuery(datasetQueries.detail(name, digest));
  const list = useQuery(datasetQueries.list());
  const summary = list.data?.items.find((item) => item.name === name);
  const dataset = query.data;
  const trail = <SmallLink to="/datasets">{t("Datasets")}</SmallLink>;
  if (query.isPending) return <Waiting height={320} />;
  if (!dataset) {
    return (
      <>
        <PageHead title={name} trail={trail} />
        <ProblemNotice error={query.error} onRetry={() => query.refetch()} />
      </>
    );
  }
  return (
    <>
      <PageHead
        title={name}
        trail={trail}
        actions={
          <>
            <ButtonLink to="/new" search={{ dataset: name }}>
              {t("Use in new sweep")}
            </ButtonLink>
            <Button variant="default" onClick={() => save(dataset)}>
              {t("Save as JSON")}
            </Button>
            {summary && (
              <DeleteMaterial
                kind="datasets"
                name={name}
                text={t(
                  "{versions, plural, one {Deletes {questions, plural, one {# question} other {# questions}}.} other {Deletes all # versions; the newest has {questions, plural, one {# question} other {# questions}}.}} Runs keep their answers and scores.",
                  { questions: summary.questions, versions: summary.versions },
                )}
              />
            )}
          </>
        }
      />
      <Stack gap="lg">
        <About dataset={dataset} summary={summary} />
        {summary && <NewVersion key={`version of ${name}`} name={name} />}
        {summary && <Versions name={name} shown={digest ?? summary.digest} />}
        <Statistics questions={dataset.questions} />
        <Questions questions={dataset.questions} />
        <OverTime key={name} name={name} />
        <Judged name={name} />
        {summary && <ImportAnswers key={`answers of ${name}`} name={name} />}
      </Stack>
    </>
  );
}

/** What the dataset holds, and which version of it this is. */
function About({ dataset, summary }: { dataset: Dataset; summary: DatasetSummary | undefined }) {
  const { digest } = route.useSearch();
  const { questions, language, name } = dataset;
  const total = formatCount(questions.length);
  const counted = (some: typeof questions) => t("{some, number} of {all}", { some: some.length, all: total });
  const shown = digest ?? summary?.digest;
  const unanswerable = questions.filter(({ relevant }) => relevant?.length === 0);
  return (
    <Stack gap="sm">
      {digest && summary && digest !== summary.digest && (
        <Note>
          <Text size="sm">
            {t("This is an older version of the dataset.")}{" "}
            <SmallLink to="/datasets/$name" params={{ name }} underline="always">
              {t("Show newest version")}
            </SmallLink>
          </Text>
        </Note>
      )}
      <Facts
        facts={[
          [t("Questions"), total],
          [t("With a reference answer"), counted(questions.filter(({ reference }) => reference !== ""))],
          [
            t("With gold passages"),
            counted(questions.filter((question) => question.gold_passages.length > 0)),
          ],
          unanswerable.length > 0 && [t("Without an answer in the documents"), counted(unanswerable)],
          [t("Language"), language],
          summary && [t("Versions"), formatCount(summary.versions)],
          shown && [t("Version"), <Digest key="digest" value={shown} />],
        ]}
      />
    </Stack>
  );
}

const HERE = "new-version";

/** More or corrected questions for a dataset: a file that becomes its newest version. */
export const NewVersion = forRole("researcher", function NewVersion({ name }: { name: string }) {
  // The step "Add questions" of a verdict leads here.
  const isNamed = useLocation({ select: ({ hash }) => hash === HERE });
  const [isOpen, setOpen] = useFormState("version.open", isNamed);
  useArrival(isNamed, HERE);
  return (
    <section id={HERE} aria-label={t("New version")}>
      <Group gap="sm">
        <Text size="sm">{t("More or corrected questions")}</Text>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("Import new version")}
        </Button>
      </Group>
      {isOpen && (
        <>
          <Text size="sm" my="sm" maw="46rem">
            {t(
              "The questions of the file are added to those of the newest version, or replace all of them. To correct some, save them as JSON, edit that file, and replace all. Earlier versions and their sweeps are kept.",
            )}{" "}
            <AnchorLink to="/drafts" search={{}} underline="always">
              {t("New questions from documents")}
            </AnchorLink>
          </Text>
          <AddQuestions dataset={name} onAdded={() => setOpen(false)} />
        </>
      )}
    </section>
  );
});

/** The rows of a question file that gives this dataset again when it is dropped. */
export function rowsOf({ language, questions }: Dataset): Record<string, unknown>[] {
  return questions.map(({ text, gold_passages, relevant, ...more }) => ({
    ...more,
    question: text,
    gold_passages,
    ...(relevant == null ? {} : { relevant }),
    language,
  }));
}

/** Hand the dataset to the reader as a JSON file. */
function save(dataset: Dataset): void {
  const text = JSON.stringify(rowsOf(dataset), null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${dataset.name}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
