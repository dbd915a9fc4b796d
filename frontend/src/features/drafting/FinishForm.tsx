import { Button, Group, NumberInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useFinishDrafting } from "@/api/drafting";
import { bindText, bindWhole, typedNumber } from "@/components/fields";
import { ButtonLink } from "@/components/links";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
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

/** Makes a dataset of the accepted questions, and leads to the first sweep with it. */
export function FinishForm({ id, collection, states, written }: Props) {
  const [name, setName] = useState(collection);
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
  return (
    <Panel title={t("Dataset")}>
      <Group align="flex-end" gap="sm">
        <TextInput label={t("Name of the dataset")} {...bindText(name, setName)} />
        <Button
          loading={finish.isPending}
          disabled={count === 0 || name.trim() === ""}
          onClick={() =>
            finish.mutate({ params: { path: { drafting_id: id } }, body: { name: name.trim(), mix } })
          }
        >
          {t("Create dataset of {count, plural, one {# question} other {# questions}}", { count })}
        </Button>
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
      {accepted === 0 && <Quiet>{t("No question is accepted yet. Review the drafts first.")}</Quiet>}
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
