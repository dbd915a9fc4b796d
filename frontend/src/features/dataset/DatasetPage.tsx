import { Button, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import type { Dataset, DatasetSummary } from "@/api/types";
import { Digest } from "@/components/Digest";
import { Facts } from "@/components/Facts";
import { AnchorLink, ButtonLink } from "@/components/links";
import { DeleteMaterial } from "@/components/material/DeleteMaterial";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { save } from "./download";
import { Questions } from "./Questions";
import { Statistics } from "./Statistics";
import { Versions } from "./Versions";

const route = getRouteApi("/datasets/$name");
const label = words.datasets;

/** One dataset: its questions, what they are like, its versions. */
export function DatasetPage(): ReactNode {
  const { name } = route.useParams();
  const { digest } = route.useSearch();
  const query = api.useQuery("get", "/api/v1/datasets/{name}", {
    params: { path: { name }, query: digest ? { digest } : {} },
  });
  const list = api.useQuery("get", "/api/v1/datasets");
  const summary = list.data?.items.find((item) => item.name === name);
  const dataset = query.data;
  const trail = (
    <AnchorLink to="/datasets" size="sm">
      {label.all}
    </AnchorLink>
  );
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
              {label.use}
            </ButtonLink>
            <Button variant="default" onClick={() => save(dataset)}>
              {label.download}
            </Button>
            {summary && (
              <DeleteMaterial
                kind="datasets"
                name={name}
                text={label.deleteText(formatCount(summary.questions), formatCount(summary.versions))}
              />
            )}
          </>
        }
      />
      <Stack gap="lg">
        <About dataset={dataset} summary={summary} />
        {summary && <Versions name={name} shown={digest ?? summary.digest} />}
        <Statistics questions={dataset.questions} />
        <Questions questions={dataset.questions} />
      </Stack>
    </>
  );
}

/** What the dataset holds, and which version of it this is. */
function About({ dataset, summary }: { dataset: Dataset; summary: DatasetSummary | undefined }) {
  const { digest } = route.useSearch();
  const { questions, language, name } = dataset;
  const total = formatCount(questions.length);
  const counted = (some: typeof questions) => label.of(formatCount(some.length), total);
  const shown = digest ?? summary?.digest;
  return (
    <Stack gap="sm">
      {digest && summary && digest !== summary.digest && (
        <Note>
          <Text size="sm">
            {label.olderVersion}{" "}
            <AnchorLink to="/datasets/$name" params={{ name }} size="sm" underline="always">
              {label.toNewest}
            </AnchorLink>
          </Text>
        </Note>
      )}
      <Facts
        facts={[
          [label.questions, total],
          [label.withReference, counted(questions.filter(({ reference }) => reference !== ""))],
          [label.withGold, counted(questions.filter((question) => question.gold_passages.length > 0))],
          [label.language, language],
          ...(summary ? [[label.versions, formatCount(summary.versions)] as [string, string]] : []),
          ...(shown ? [[label.version, <Digest key="digest" value={shown} />] as [string, ReactNode]] : []),
        ]}
      />
    </Stack>
  );
}
