import { Button, Group, List, Stack, Text } from "@mantine/core";
import { budgetOf } from "@/api/budget";
import { usePreviewSweep } from "@/api/steering";
import type { SweepPreview } from "@/api/types";
import { Note } from "@/components/Note";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import {
  type Column,
  countColumn,
  DataTable,
  plainColumn,
  scoreColumn,
  shareColumn,
} from "@/components/table";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";
import type { SweepForm } from "./form";
import { sweepOf } from "./usePlan";
import type { SweepFormState } from "./useSweepForm";

/** What each policy would keep, found by retrieval alone, and the thresholds that are worth comparing. */
export function Preview({ form }: { form: SweepFormState }) {
  const preview = usePreview(form);
  const { data, error, isPending, isOld } = preview;
  const told = form.plan.query.data?.warnings ?? [];
  return (
    <Panel
      title={t("Retrieval preview")}
      beside={
        <Button
          variant="default"
          size="xs"
          disabled={!form.plan.ready || form.plan.query.isError}
          loading={isPending}
          onClick={preview.show}
        >
          {data ? t("Update preview") : t("Show preview")}
        </Button>
      }
    >
      <Quiet>
        {t(
          "Runs retrieval only and shows how many passages each setting keeps. No model is called; nothing is saved.",
        )}{" "}
        {!form.plan.ready && t("Choose a collection and a dataset first.")}
      </Quiet>
      <div aria-live="polite">
        <ProblemNotice error={error} title={t("No preview")} />
        {data && (
          <Stack gap="md">
            {isOld && !isPending && (
              <Note>{t("The form has changed. The preview shows the previous settings.")}</Note>
            )}
            <Proposals preview={data} onUse={preview.use} isBusy={isPending} />
            <PreviewTable preview={data} />
            {data.figures?.map((figure) => (
              <FigureView key={figure.id} figure={figure} />
            ))}
            <Asked preview={data} told={told} />
          </Stack>
        )}
      </div>
    </Panel>
  );
}

interface ProposalsProps {
  preview: SweepPreview;
  onUse: (range: Range) => void;
  isBusy: boolean;
}

/** A range for each collection, with the button that takes it over. */
function Proposals({ preview, onUse, isBusy }: ProposalsProps) {
  const several = preview.collections.length > 1;
  return preview.collections.map(({ collection, proposed }) => {
    if (!proposed) return null;
    const [start, stop, step] = [proposed.start, proposed.stop, proposed.step].map((value) =>
      formatScore(value, 2),
    ) as [string, string, string];
    return (
      <Group key={collection} gap="md" justify="space-between">
        <Text size="sm" maw="60ch">
          {several && `${t("Collection {collection}", { collection })}. `}
          {t(
            "Proposed thresholds: {start} to {stop} in steps of {step}. At the lowest, about half of the questions keep at least ten passages; at the highest, about half keep none.",
            { start, stop, step },
          )}
        </Text>
        <Button variant="light" size="xs" disabled={isBusy} onClick={() => onUse(proposed)}>
          {t("Use range")}
        </Button>
      </Group>
    );
  });
}

/** What would be asked, counted on the prompts themselves; and what the plan could not warn of yet. */
function Asked({ preview: { plan }, told }: { preview: SweepPreview; told: string[] }) {
  const warnings = (plan.warnings ?? []).filter((warning) => !told.includes(warning));
  return (
    <>
      <List size="sm" spacing={4}>
        {plan.distinct_prompts != null && (
          <List.Item>
            {t(
              "{count, plural, one {# generation} other {# generations}}, because equal prompts share one answer",
              { count: plan.distinct_prompts },
            )}
          </List.Item>
        )}
        {plan.cached ? (
          <List.Item>{t("{count, number} already answered", { count: plan.cached })}</List.Item>
        ) : null}
        {plan.fixed ? (
          <List.Item>
            {t(
              "{count, plural, one {# evaluation keeps no passage and gets the fixed answer} other {# evaluations keep no passage and get the fixed answer}}",
              { count: plan.fixed },
            )}
          </List.Item>
        ) : null}
      </List>
      {warnings.map((warning) => (
        <Note key={warning} tone="warn">
          <ServerText text={warning} />
        </Note>
      ))}
    </>
  );
}

type Policy = SweepPreview["policies"][number];

const oneDecimal = (value: number) => formatScore(value, 1);
const ofPrompts = { reason: t("No model would be called."), format: formatCount };
const ofRetrieval = { reason: ({ retrieval }: Policy) => retrieval.reason };

const COLUMNS: Column<Policy>[] = [
  plainColumn("passages", t("Passages"), ({ retrieval }) => retrieval.mean_passages, {
    title: t("Mean number of passages kept"),
    ...ofRetrieval,
    format: oneDecimal,
  }),
  countColumn("most", t("Maximum passages"), ({ most_passages }) => most_passages, {
    title: t("Largest number of passages kept for one question"),
  }),
  shareColumn("coverage", t("Questions with passages"), ({ retrieval }) => retrieval.coverage, {
    title: t("Share of questions with at least one passage kept"),
    ...ofRetrieval,
  }),
  scoreColumn("recall", t("Gold passages, recall"), ({ retrieval }) => retrieval.recall, {
    title: t("Mean share of gold passages kept"),
    ...ofRetrieval,
  }),
  plainColumn("tokens", t("Tokens"), ({ tokens }) => tokens?.mean, {
    title: t("Mean prompt length in tokens (upper estimate)"),
    ...ofPrompts,
  }),
  plainColumn("longest", t("Longest"), ({ tokens }) => tokens?.most, {
    title: t("Tokens in the longest prompt (upper estimate)"),
    ...ofPrompts,
  }),
  plainColumn("overflowing", t("Too long"), ({ tokens }) => tokens?.overflowing, {
    title: t("Prompts that do not fit the context window together with the answer length limit"),
    ...ofPrompts,
  }),
];

/** Policy by policy: passages kept, coverage, gold recall and the size of the prompts. */
function PreviewTable({ preview: { policies, collections } }: { preview: SweepPreview }) {
  const several = new Set(policies.map(({ prompt }) => prompt)).size > 1;
  const notesOf = ({ collection, prompt, is_baseline }: Policy) =>
    [collections.length > 1 && collection, several && prompt, is_baseline && t("baseline")]
      .filter(Boolean)
      .join(", ");
  return (
    <DataTable
      name="preview"
      label={t("Retrieval preview")}
      columns={[
        plainColumn("policy", t("Retrieval setting"), ({ name }) => name, { note: notesOf }),
        ...COLUMNS,
      ]}
      rows={policies}
      keyOf={({ collection, prompt, name, is_baseline }) => `${collection} ${prompt} ${name} ${is_baseline}`}
      isShort
    />
  );
}

type Range = NonNullable<SweepPreview["collections"][number]["proposed"]>;

/** What retrieval alone tells of the form: asked for when it is wanted, because every question is looked up. */
function usePreview(form: SweepFormState) {
  const { mutate, data, error, isPending, variables } = usePreviewSweep();
  const look = (values: SweepForm) => mutate({ body: sweepOf(values), params: { query: budgetOf(values) } });
  return {
    data,
    error,
    isPending,
    /** Whether the form has changed since it was looked up. */
    isOld: variables !== undefined && JSON.stringify(variables.body) !== JSON.stringify(sweepOf(form.values)),
    show: () => look(form.values),
    /** Take a proposed range over into the form, and look again. */
    use: (range: Range) => {
      const { start, stop, step } = range;
      const fields = { varyThreshold: true, thresholdsAs: "range", start, stop, step } as const;
      form.fill(fields);
      look({ ...form.values, ...fields });
    },
  };
}
