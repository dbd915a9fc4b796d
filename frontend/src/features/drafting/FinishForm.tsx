import { Button, Group, NumberInput, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFinishDrafting } from "@/api/drafting";
import { datasetQueries } from "@/api/materials";
import { bindText, bindWhole, typedNumber } from "@/components/fields";
import { ButtonLink } from "@/components/links";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { SendButton } from "@/components/SendButton";
import { Warnings } from "@/components/Warnings";
import { saveText } from "@/figures/save";
import { t } from "@/words";

interface Props {
  id: string;
  collection: string;
  states: Record<string, number>;
  /** Models that wrote, with the accepted questions of each. */
  written: [string, number][];
}

/** What is missing for a dataset. */
function lackOf(accepted: number, count: number, name: string): string | null {
  if (accepted === 0) return t("No question is accepted yet. Review the drafts first.");
  if (count === 0) return t("Enter how many questions of a model to draw.");
  return name.trim() === "" ? t("Name the dataset.") : null;
}

/** Makes a dataset of the accepted questions, and leads to the first sweep with it. */
export function FinishForm({ id, collection, states, written }: Props) {
  const [typed, setName] = useState<string>();
  const [drawn, setDrawn] = useState<Record<string, number | string>>({});
  const finish = useFinishDrafting();
  const mix = Object.fromEntries(
    Object.entries(drawn).flatMap(([model, value]) => {
      const wanted = typedNumber(value);
      return wanted === null ? [] : [[model, wanted] as const];
    }),
  );
  const accepted = (states.accepted ?? 0) + (states.edited ?? 0);
  const sample = written.reduce((sum, [model, had]) => sum + Math.min(had, mix[model] ?? 0), 0);
  const count = Object.keys(mix).length > 0 ? sample : accepted;
  const made = finish.data;
  const datasets = useQuery(datasetQueries.list()).data?.items ?? [];
  const questionsOf = (name: string) => datasets.find((each) => each.name === name)?.questions;
  // The questions of an example, or of people, often have the name of their collection.
  const usual = questionsOf(collection) === undefined ? collection : `${collection}-drafted`;
  const name = typed ?? made?.name ?? usual;
  const before = made?.name === name.trim() ? undefined : questionsOf(name.trim());
  return (
    <Panel title={t("Dataset")}>
      <Group align="flex-end" gap="sm">
        <TextInput label={t("Name of the dataset")} {...bindText(name, setName)} />
        <SendButton
          loading={finish.isPending}
          missing={lackOf(accepted, count, name)}
          onClick={() =>
            finish.mutate({ params: { path: { drafting_id: id } }, body: { name: name.trim(), mix } })
          }
        >
          {count === 0
            ? t("Create dataset")
            : t("Create dataset of {count, plural, one {# question} other {# questions}}", { count })}
        </SendButton>
      </Group>
      {written.length > 1 && accepted > 0 && (
        <Group align="flex-end" gap="sm">
          {written.map(([model, had]) => (
            <NumberInput
              key={model}
              label={t("Questions by {model}", { model })}
              placeholder={t("all {count, number}", { count: had })}
              min={0}
              {...bindWhole(drawn[model] ?? "", (value) =>
                setDrawn((before) => ({ ...before, [model]: value })),
              )}
            />
          ))}
          <Quiet>
            {t(
              "Enter a number to draw that many questions of a model at random. If any field has a number, models with an empty field contribute no questions.",
            )}
          </Quiet>
        </Group>
      )}
      {before !== undefined && (
        <Note tone="warn">
          {t(
            "The dataset {name} has {before, plural, one {# question} other {# questions}}. Its new version has only the questions that are accepted here. The older version is kept.",
            { name: name.trim(), before },
          )}
        </Note>
      )}
      <ProblemNotice error={finish.error} />
      {made && (
        <>
          <Warnings warnings={[...made.notes]} />
          <Text role="status">
            {t("Dataset {name} has {count, plural, one {# question} other {# questions}}.", {
              name: made.name,
              count: made.questions,
            })}
          </Text>
          <Group>
            <ButtonLink to="/new" search={{ collection, dataset: made.name }}>
              {t("New sweep with these questions")}
            </ButtonLink>
            <Button
              variant="default"
              onClick={() => saveText(made.readme, `${made.name}-README.md`, "text/markdown")}
            >
              {t("Save README")}
            </Button>
          </Group>
        </>
      )}
    </Panel>
  );
}
