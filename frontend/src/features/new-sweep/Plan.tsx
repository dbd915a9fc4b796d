import { Button, List, Stack, Text } from "@mantine/core";
import type { SweepPlan } from "@/api/types";
import { Note } from "@/components/Note";
import { formatAbout } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Sentences } from "@/components/Sentences";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import classes from "./NewSweepPage.module.css";
import { withReplacements } from "./sweep";
import type { SweepFormState } from "./useSweepForm";

/** What the sweep will take, and the button that starts it. */
export function Plan({ form }: { form: SweepFormState }) {
  const { ready, query, complete } = form.plan;
  // A server that is away is asked again for a while; meanwhile the reason stands here.
  const error = query.error ?? query.failureReason;
  const missing = (ready && !error && query.data?.missing) || [];
  const refused = error !== null || !ready || missing.length > 0;
  return (
    <Panel title={t("Plan")} isCard>
      <div aria-live="polite">
        {!ready && (
          <Text c="var(--quiet)">
            {t("Choose a collection and a dataset to see the expected time and number of evaluations.")}
          </Text>
        )}
        {ready && query.isPending && !error && <Text c="var(--quiet)">{t("Computing the plan…")}</Text>}
        {ready && error && (
          <ProblemNotice
            error={error}
            title={t("The sweep cannot start")}
            {...(complete ? {} : { onRetry: () => query.refetch() })}
          />
        )}
        {ready && !error && query.data && <Figures plan={query.data} />}
        {missing.length > 0 && (
          <Note tone="warn" title={t("Not available in this installation")}>
            <Sentences spacing={4} texts={missing.map(({ line }) => line)} />
            {missing.some(({ kind, replacement }) => kind === "embedding" || replacement) && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => form.fill(withReplacements(form.values, missing))}
              >
                {t("Use replacements")}
              </Button>
            )}
          </Note>
        )}
      </div>
      <ProblemNotice error={form.refused} title={t("The sweep cannot start")} />
      <Button type="submit" size="md" fullWidth disabled={refused} loading={form.starting}>
        {t("Start sweep")}
      </Button>
    </Panel>
  );
}

function Figures({ plan }: { plan: SweepPlan }) {
  return (
    <Stack gap="sm">
      <div>
        {plan.questions > 0 && (
          <Text className={classes.figure}>
            {t("{count, plural, one {# evaluation} other {# evaluations}}", { count: plan.evaluations })}
          </Text>
        )}
        <Text c="var(--quiet)">
          {t("{count, plural, one {# configuration} other {# configurations}}", {
            count: plan.configurations,
          })}{" "}
          × {t("{count, plural, one {# question} other {# questions}}", { count: plan.questions })}
        </Text>
      </div>
      <List size="sm" spacing={4}>
        {plan.distinct_prompts != null && (
          <List.Item>
            {t(
              "about {count, plural, one {# generation} other {# generations}}, because equal prompts share one answer",
              { count: plan.distinct_prompts },
            )}
          </List.Item>
        )}
        {plan.models?.map(({ model, prompt_tokens, read_tokens }) =>
          prompt_tokens && read_tokens ? (
            <List.Item key={`${model.provider} ${model.name}`}>
              {t(
                "{model}: about {prompt, number} tokens in the prompts, of which about {read, number} are read, because the beginning that prompts share is read once",
                { model: model.name, prompt: prompt_tokens, read: read_tokens },
              )}
            </List.Item>
          ) : null,
        )}
        {plan.cached ? (
          <List.Item>{t("{count, number} already answered", { count: plan.cached })}</List.Item>
        ) : null}
        <List.Item>
          {plan.expected_s == null
            ? t("The expected time is shown after this model has answered its first question.")
            : t("Expected time: about {time}", { time: formatAbout(plan.expected_s) })}
        </List.Item>
        {[...(plan.judging?.lines ?? []), ...(plan.budget ?? [])].map((line) => (
          <List.Item key={line}>
            <ServerText text={line} />
          </List.Item>
        ))}
        {plan.decision && (
          <List.Item>
            <ServerText text={plan.decision.line} />
          </List.Item>
        )}
      </List>
      {plan.warnings?.map((warning) => (
        <Note key={warning} tone="warn">
          <ServerText text={warning} />
        </Note>
      ))}
    </Stack>
  );
}
