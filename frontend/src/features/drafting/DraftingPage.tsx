import { Button, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { draftingQueries, isDrafting, useCancelDrafting, useResumeDrafting } from "@/api/drafting";
import type { ShownDrafting } from "@/api/types";
import { Bar, shade } from "@/components/Bar";
import { type Fact, Facts } from "@/components/Facts";
import { ForRole } from "@/components/ForRole";
import { bindWhole, typedNumber } from "@/components/fields";
import { JobProgress } from "@/components/JobProgress";
import { ButtonLink, SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { Note } from "@/components/Note";
import { formatCount, formatScore, formatShare, NONE } from "@/components/numbers/format";
import { PageHead } from "@/components/PageHead";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import classes from "./drafting.module.css";
import { FinishForm } from "./FinishForm";
import { STAGES, STATES, writersOf } from "./words";

const route = getRouteApi("/drafts/$id");

/** How far a drafting is, what was refused where, and the ways to the review and to a dataset. */
export function DraftingPage(): ReactNode {
  const { id } = route.useParams();
  const query = useQuery(draftingQueries.detail(id));
  if (!query.data) return <PageState query={query} height={320} />;
  const { table } = query.data;
  const collection = table.assessment.spec.drafting?.collection ?? "";
  return (
    <>
      <PageHead
        title={t("Questions from {collection}", { collection })}
        trail={<SmallLink to="/drafts">{t("New questions from documents")}</SmallLink>}
        lead={writersOf(table.assessment)}
      />
      <Stack gap="lg">
        <Progress shown={query.data} />
        <Drafts shown={query.data} />
        <ForRole>
          <FinishForm
            id={id}
            collection={collection}
            states={table.states}
            written={(table.assessment.spec.drafting?.writers ?? []).map(({ judge: { model } }) => [
              model.name,
              table.by_model[model.name] ?? 0,
            ])}
          />
        </ForRole>
      </Stack>
    </>
  );
}

/** The state of the job: its progress, why it stopped, and how to continue. */
function Progress({ shown }: { shown: ShownDrafting }) {
  const { job, table } = shown;
  const id = table.assessment.id;
  const [wanted, setWanted] = useState<number | string>(table.assessment.spec.drafting?.target ?? 0);
  const target = typedNumber(wanted);
  const cancel = useCancelDrafting();
  const resume = useResumeDrafting();
  const params = { path: { drafting_id: id } };
  const drafting = table.assessment.spec.drafting;
  const lacksAnswers = drafting?.way === "inpars" && !drafting.answers && table.drafts > 0;
  if (isDrafting(shown) && job) {
    return (
      <Panel title={t("Progress")}>
        <JobProgress
          label={t("Drafting questions")}
          message={job.message}
          done={job.done}
          total={job.total}
        />
        <ForRole>
          <Group>
            <Button
              size="xs"
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ params })}
            >
              {t("Cancel drafting")}
            </Button>
          </Group>
        </ForRole>
      </Panel>
    );
  }
  // The message of a cancelled job is still that of its work.
  const stopped = job?.state === "cancelled" ? t("Cancelled") : (job?.message ?? null);
  const why = table.outcome ?? (job?.state === "finished" ? null : stopped);
  return (
    <Panel title={t("Progress")}>
      {why && (
        <Note tone="warn" role="status">
          <ServerText text={why} />
        </Note>
      )}
      <ForRole>
        <Group align="flex-end" gap="sm">
          {table.is_exhausted ? (
            <ButtonLink to="/drafts" search={{ collection: drafting?.collection }} variant="default">
              {t("Draft with other settings")}
            </ButtonLink>
          ) : (
            <>
              <NumberInput label={t("Questions")} min={1} {...bindWhole(wanted, setWanted)} maw={140} />
              <Button
                variant="default"
                loading={resume.isPending}
                disabled={target === null}
                onClick={() => resume.mutate({ params, body: { budget: {}, target } })}
              >
                {t("Continue drafting")}
              </Button>
            </>
          )}
          {lacksAnswers && (
            <Button
              variant="default"
              loading={resume.isPending}
              onClick={() => resume.mutate({ params, body: { budget: {}, answers: true } })}
            >
              {t("Draft answers")}
            </Button>
          )}
        </Group>
      </ForRole>
      {lacksAnswers && (
        <Quiet>
          {t(
            "The questions have no reference answers yet. A model can draft them from the passages; without one, a question gets no scores.",
          )}
        </Quiet>
      )}
      <ProblemNotice error={resume.error} />
    </Panel>
  );
}

/** Drafts by state, refusals by check, what a question cost, and what people say of those drawn at random. */
function Drafts({ shown: { table } }: { shown: ShownDrafting }) {
  const { states, windows, drafts, by_model, quality, assessment } = table;
  const { asks_each, tokens_each, cost, cost_each, passed_share, drafts_per_minute } = table;
  const writers = assessment.spec.drafting?.writers ?? [];
  const count = (state: string) => formatCount(states[state] ?? 0);
  const { decided, good, interval } = quality;
  return (
    <Panel
      title={t("Drafts")}
      beside={
        table.drafts > 0 && (
          <ButtonLink
            to="/drafts/$id/review"
            params={{ id: assessment.id }}
            size="xs"
            variant={(states.waiting ?? 0) > 0 ? "filled" : "default"}
          >
            {t("Review drafts")}
          </ButtonLink>
        )
      }
    >
      <Facts
        facts={[
          [t("Texts read"), formatCount(windows)],
          [STATES.accepted, count("accepted")],
          [STATES.edited, count("edited")],
          [STATES.waiting, count("waiting")],
          [STATES.refused, count("refused")],
          [t("Drafts that passed all checks"), shareOf(passed_share, drafts)],
          table.judge && [t("Judge"), table.judge],
          [t("Drafts per minute"), drafts_per_minute == null ? NONE : formatScore(drafts_per_minute, 1)],
          [t("Requests"), formatCount(assessment.spent.asks)],
          [t("Requests per question"), asks_each == null ? NONE : formatScore(asks_each, 1)],
          [t("Tokens per question"), tokens_each == null ? NONE : formatCount(Math.round(tokens_each))],
          cost != null && [t("Cost"), formatScore(cost, 2)],
          cost != null && [t("Cost per question"), cost_each == null ? NONE : formatScore(cost_each)],
          ...writers.map(
            ({ judge: { model } }) =>
              writers.length > 1 &&
              ([
                t("Questions by {model}", { model: model.name }),
                formatCount(by_model[model.name] ?? 0),
              ] as Fact),
          ),
        ]}
      />
      <Refusals refused={table.refused} />
      <Text size="sm">
        {interval
          ? t(
              "{good, number} of {decided, number} drafts drawn at random are good ({share}, 95 % interval {low} to {high}).",
              {
                good,
                decided,
                share: formatShare(good / decided),
                low: formatShare(interval.low),
                high: formatShare(interval.high),
              },
            )
          : passed_share
            ? t(
                "Review the ten drafts that are drawn at random: the share of good ones is the measure of quality.",
              )
            : null}
      </Text>
    </Panel>
  );
}

function shareOf(share: number | null | undefined, drafts: number): string {
  if (share == null) return NONE;
  return t("{share} of {drafts, number}", { share: formatShare(share), drafts });
}

const COLORS = ["var(--quiet)", shade("var(--quiet)", 60)];

/** Refusals by check as one bar, and the same as a list. */
function Refusals({ refused }: { refused: Record<string, number> }) {
  const stages = Object.entries(STAGES).flatMap(([stage, label]) => {
    const count = refused[stage] ?? 0;
    return count > 0 ? [{ stage, label, count }] : [];
  });
  if (stages.length === 0) return <Text c="var(--quiet)">{t("No draft is refused.")}</Text>;
  return (
    <section aria-label={t("Refused by check")}>
      <Text size="sm" c="var(--quiet)">
        {t("Refused by check")}
      </Text>
      <Bar
        parts={stages.map(({ label, count }, place) => ({
          name: label,
          count,
          color: COLORS[place % 2] ?? "",
        }))}
      />
      <ul className={classes.stages}>
        {stages.map(({ stage, label, count }) => (
          <li key={stage}>
            {label}: {formatCount(count)}
          </li>
        ))}
      </ul>
    </section>
  );
}
