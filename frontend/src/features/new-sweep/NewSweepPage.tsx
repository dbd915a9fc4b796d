import { Grid, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { accountQueries } from "@/api/session";
import { sweepQueries } from "@/api/sweeps";
import type { Experiment, SweepDetail } from "@/api/types";
import { Form } from "@/components/Form";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";
import { Answerer } from "./Answerer";
import { recall } from "./draft";
import type { SweepForm } from "./form";
import { Material } from "./Material";
import classes from "./NewSweepPage.module.css";
import { Options } from "./Options";
import { Plan } from "./Plan";
import { Preview } from "./Preview";
import { fromSweep, type Step, withStep } from "./sweep";
import { copiedName } from "./usePlan";
import { useProposedRange } from "./useProposedRange";
import { useSweepForm } from "./useSweepForm";
import { Varied } from "./Varied";
import { VerdictRule } from "./VerdictRule";

const route = getRouteApi("/new");

export function NewSweepPage(): ReactNode {
  const search = route.useSearch();
  const experiments = useQuery(sweepQueries.experiments());
  const opened = useOpened(search, experiments.data?.items);
  const session = useQuery(accountQueries.session());
  const account = session.data?.account ?? "";
  const { experiment, collection, dataset } = search;
  return (
    <>
      <PageHead
        title={t("New sweep")}
        actions={<Experiments all={experiments.data?.items ?? []} chosen={experiment ?? null} />}
        lead={t(
          "Choose the questions, the models and the settings to compare. Nothing runs until you start the sweep.",
        )}
      />
      {opened.error && <ProblemNotice error={opened.error} onRetry={opened.retry} />}
      {opened.form && !session.isPending && (
        <NewSweep key={JSON.stringify(search)} account={account} start={opened.form} isFresh={false} />
      )}
      {opened.isNone && !session.isPending && (
        <NewSweep
          key={JSON.stringify(search)}
          account={account}
          start={{
            ...recall(account),
            ...(collection ? { collection } : {}),
            ...(dataset ? { dataset } : {}),
          }}
          isFresh
        />
      )}
    </>
  );
}

type Search = ReturnType<typeof route.useSearch>;

/** What the address asks to open: a copy of a sweep, an experiment, or nothing. */
function useOpened({ copy, experiment, ...step }: Search, experiments: Experiment[] | undefined) {
  const original = useQuery({ ...sweepQueries.template(copy ?? ""), enabled: copy !== undefined });
  const found = experiments?.find(({ name }) => name === experiment);
  return {
    form: copy === undefined ? experimentForm(found) : copyForm(original.data, step),
    error: original.error,
    retry: () => original.refetch(),
    // An experiment that does not exist leaves the usual form.
    isNone: copy === undefined && (experiment === undefined || (experiments !== undefined && !found)),
  };
}

function experimentForm(found: Experiment | undefined): SweepForm | null {
  return found ? { ...fromSweep(found.sweep), name: found.sweep.name } : null;
}

function copyForm(original: SweepDetail | undefined, step: Step): SweepForm | null {
  if (!original) return null;
  const form = fromSweep(original.sweep);
  return {
    ...withStep(form, step, original.runs),
    name: copiedName(original.name, form),
  };
}

/** The experiment files that come with PaSSER: one of them fills in the form. */
function Experiments({ all, chosen }: { all: Experiment[]; chosen: string | null }) {
  const navigate = useNavigate();
  return (
    <Select
      w="min(100%, 19rem)"
      miw="17rem"
      aria-label={t("Open an experiment")}
      placeholder={t("Open an experiment")}
      data={all.map(({ name, sweep }) => ({ value: name, label: sweep.name }))}
      value={chosen}
      onChange={(name) => name && void navigate({ to: "/new", search: { experiment: name } })}
    />
  );
}

interface Props {
  start: SweepForm;
  /** Whose form is remembered; empty without accounts. */
  account: string;
  isFresh: boolean;
}

function NewSweep({ start, account, isFresh }: Props) {
  const sweep = useSweepForm(start, account);
  const source = useProposedRange(sweep, isFresh);
  return (
    <Form onSubmit={sweep.submit} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Material form={sweep} />
            <Answerer form={sweep} />
            <Varied form={sweep} source={source} />
            <Options form={sweep} />
            <VerdictRule form={sweep} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <div className={classes.plan}>
            <Plan form={sweep} />
          </div>
        </Grid.Col>
        <Grid.Col span={12}>
          <Preview form={sweep} />
        </Grid.Col>
      </Grid>
    </Form>
  );
}
