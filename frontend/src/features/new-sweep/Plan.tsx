import { Button, List, Stack, Text } from "@mantine/core";
import type { SweepPlan } from "@/api/types";
import { Note } from "@/components/Note";
import { formatAbout, formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Said } from "@/components/Said";
import { words } from "@/words";
import classes from "./NewSweepPage.module.css";
import type { SweepFormState } from "./useSweepForm";

/** What the sweep will take, and the button that starts it. */
export function Plan({ form }: { form: SweepFormState }) {
  const { ready, query, complete } = form.plan;
  const refused = query.isError || !ready;
  return (
    <Panel title={words.newSweep.plan}>
      <div aria-live="polite">
        {!ready && <Text c="var(--quiet)">{words.newSweep.planEmpty}</Text>}
        {ready && query.isError && (
          <ProblemNotice
            error={query.error}
            title={words.newSweep.refused}
            {...(complete ? {} : { onRetry: () => query.refetch() })}
          />
        )}
        {ready && !query.isError && query.data && <Figures plan={query.data} />}
      </div>
      {form.refused !== null && <ProblemNotice error={form.refused} title={words.newSweep.refused} />}
      <Button type="submit" size="md" fullWidth disabled={refused} loading={form.starting}>
        {words.newSweep.startButton}
      </Button>
    </Panel>
  );
}

function Figures({ plan }: { plan: SweepPlan }) {
  const label = words.newSweep;
  return (
    <Stack gap="sm">
      <div>
        <Text className={classes.figure}>{label.planEvaluations(formatCount(plan.evaluations))}</Text>
        <Text c="var(--quiet)">
          {label.planConfigurations(formatCount(plan.configurations))} ×{" "}
          {label.planQuestions(formatCount(plan.questions))}
        </Text>
      </div>
      <List size="sm" spacing={4}>
        {plan.distinct_prompts != null && (
          <List.Item>{label.planGenerations(formatCount(plan.distinct_prompts))}</List.Item>
        )}
        {plan.cached ? <List.Item>{label.planCached(formatCount(plan.cached))}</List.Item> : null}
        <List.Item>
          {plan.expected_s == null ? label.planNoTime : label.planTime(formatAbout(plan.expected_s))}
        </List.Item>
      </List>
      {plan.warnings?.map((warning) => (
        <Note key={warning} tone="warn">
          <Said text={warning} wordings={plan.wordings} />
        </Note>
      ))}
    </Stack>
  );
}
