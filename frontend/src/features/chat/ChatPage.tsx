import { Grid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "@/api/client";
import { Problem } from "@/api/problem";
import type { AnsweredQuestion } from "@/api/types";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { Answers } from "@/components/evaluation/Answers";
import { detailOfAsked } from "@/components/evaluation/detail";
import { Passages } from "@/components/evaluation/Passages";
import { PromptPanel } from "@/components/evaluation/PromptPanel";
import { Scores } from "@/components/evaluation/Scores";
import { Timings } from "@/components/evaluation/Timings";
import { ButtonLink } from "@/components/links";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { Form } from "./Form";
import { fieldsOf } from "./form";
import { useAsk } from "./useAsk";

const label = words.chat;

/** One question outside of every run. */
export function ChatPage(): ReactNode {
  const collections = api.useQuery("get", "/api/v1/collections");
  const items = collections.data?.items;
  return (
    <>
      <PageHead title={label.title} lead={label.lead} />
      {collections.isPending && <Waiting height={240} />}
      {collections.isError && (
        <ProblemNotice error={collections.error} onRetry={() => collections.refetch()} />
      )}
      {items?.length === 0 && (
        <EmptyState title={label.emptyTitle} text={label.empty}>
          <ButtonLink to="/collections">{label.toCollections}</ButtonLink>
          <Examples onLoaded={() => collections.refetch()} />
        </EmptyState>
      )}
      {items && items.length > 0 && <Chat collections={items.map(({ collection }) => collection.name)} />}
    </>
  );
}

function Chat({ collections }: { collections: string[] }) {
  const ask = useAsk();
  const [shown, setShown] = useState<number>(0);
  const fields = ask.error instanceof Problem ? fieldsOf(ask.error.fields) : {};
  const isUnderField = Object.keys(fields).length > 0;
  return (
    <Stack gap="lg">
      <Form
        collections={collections}
        fields={fields}
        isBusy={ask.isPending}
        onStop={ask.stop}
        onAsk={async (question) => {
          if (await ask.send(question)) setShown(shown + 1);
        }}
      />
      {ask.isPending && (
        <Text c="var(--quiet)" role="status">
          {label.asking}
        </Text>
      )}
      {ask.error != null && !isUnderField && <ProblemNotice error={ask.error} title={label.refused} />}
      {ask.answered && <Answered key={shown} answered={ask.answered} />}
    </Stack>
  );
}

function Answered({ answered }: { answered: AnsweredQuestion }) {
  const detail = detailOfAsked(answered);
  const { size, asked } = answered;
  const isLong = size != null && size.tokens + size.num_predict > size.window;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="lg">
          <Text size="sm" c="var(--quiet)" role="status">
            {label.asked(asked.model.name, asked.collection)}
          </Text>
          {isLong && (
            <Note tone="warn">{label.tooLong(formatCount(size.tokens), formatCount(size.window))}</Note>
          )}
          <Answers detail={detail} />
          <Passages detail={detail} />
          <PromptPanel prompt={detail.prompt} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="lg">
          {detail.scores && <Scores detail={detail} />}
          <Timings detail={detail} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
