import { Grid, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { PageHead } from "@/components/PageHead";
import { ProblemNotice } from "@/components/ProblemNotice";
import { words } from "@/words";
import { Answerer } from "./Answerer";
import { recall } from "./draft";
import type { SweepForm } from "./form";
import { Material } from "./Material";
import classes from "./NewSweepPage.module.css";
import { Options } from "./Options";
import { Plan } from "./Plan";
import { Preview } from "./Preview";
import { fromSweep } from "./sweep";
import { useSweepForm } from "./useSweepForm";
import { Varied } from "./Varied";

const route = getRouteApi("/new");

export function NewSweepPage(): ReactNode {
  const { copy, collection, dataset } = route.useSearch();
  const original = api.useQuery(
    "get",
    "/api/v1/sweeps/{sweep_id}",
    { params: { path: { sweep_id: copy ?? "" } } },
    { enabled: copy !== undefined, staleTime: Number.POSITIVE_INFINITY },
  );
  const head = <PageHead title={words.newSweep.title} lead={words.newSweep.lead} />;
  if (copy !== undefined && original.isError) {
    return (
      <>
        {head}
        <ProblemNotice error={original.error} onRetry={() => original.refetch()} />
      </>
    );
  }
  if (copy !== undefined && !original.data) return head;
  const start: SweepForm = original.data
    ? { ...fromSweep(original.data.sweep), name: words.newSweep.copyOf(original.data.sweep.name) }
    : { ...recall(), ...(collection ? { collection } : {}), ...(dataset ? { dataset } : {}) };
  return (
    <>
      {head}
      <Form key={`${copy} ${collection} ${dataset}`} start={start} />
    </>
  );
}

function Form({ start }: { start: SweepForm }) {
  const sweep = useSweepForm(start);
  return (
    <form onSubmit={sweep.submit} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Material form={sweep} />
            <Answerer form={sweep} />
            <Varied form={sweep} />
            <Options form={sweep} />
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
    </form>
  );
}
