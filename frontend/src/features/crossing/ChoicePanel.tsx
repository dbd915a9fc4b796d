import { Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { choicesOf } from "@/components/choices";
import { bindChoice, bindText } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import { type Choice, CONSTANTS, namedModels } from "./useChoice";
import type { Study } from "./useStudies";

const CONSTANTS_HINT = {
  joint: t("Both studies use one scale, so their gains can be compared."),
  first: t(
    "Both studies use the scale of the first study, so the gains can be compared with its earlier results.",
  ),
  own: t("Each study uses its own scale. The gains of the two studies are not compared."),
};
const CONSTANTS_OF = {
  joint: t("Joint: both studies together"),
  first: t("First study", {}, "field"),
  own: t("Separate for each study"),
};

interface Props {
  studies: readonly Study[];
  choice: Choice;
}

/** Two studies of one kind, and where minimum and maximum of each metric come from. */
export function ChoicePanel({ studies, choice }: Props) {
  const { first, second, constants } = choice;
  const kind = studies.find(({ id }) => id === first)?.kind;
  const others = studies.filter((study) => study.id !== first && (kind === undefined || study.kind === kind));
  return (
    <Panel title={t("Comparison")}>
      <Group gap="sm" align="flex-start">
        <StudySelect
          label={t("First study", {}, "field")}
          studies={studies}
          value={first}
          onChange={choice.setFirst}
        />
        <StudySelect label={t("Second study")} studies={others} value={second} onChange={choice.setSecond} />
        <Select
          w="min(100%, 22rem)"
          label={t("Minimum and maximum")}
          description={CONSTANTS_HINT[constants]}
          inputWrapperOrder={["label", "input", "description"]}
          data={CONSTANTS.map((value) => ({ value, label: CONSTANTS_OF[value] }))}
          {...bindChoice(constants, choice.setConstants)}
        />
      </Group>
      <Labels key={`${first} ${second}`} models={namedModels(studies, first, second)} choice={choice} />
    </Panel>
  );
}

interface StudySelectProps {
  label: string;
  studies: readonly Study[];
  value: string | undefined;
  onChange: (id: string) => void;
}

function StudySelect({ label: name, studies, value, onChange }: StudySelectProps) {
  const of = (kind: Study["kind"]) => choicesOf(studies.filter((study) => study.kind === kind));
  const groups = [
    { group: t("Sweeps"), items: of("sweep") },
    { group: t("Imported sheets"), items: of("import") },
  ].filter(({ items }) => items.length > 0);
  return (
    <Select
      w="min(100%, 24rem)"
      label={name}
      placeholder={groups.length === 0 ? t("No other study of this type") : t("Choose a study")}
      data={groups}
      searchable
      disabled={groups.length === 0}
      {...bindChoice(value ?? null, onChange)}
    />
  );
}

/** What the models of two imports are called; taken when a field is left. */
function Labels({ models, choice }: { models: string[]; choice: Choice }) {
  const [typed, setTyped] = useState(choice.labels);
  // Clearing the last name leaves the fields open; only the reader closes them.
  const [isOpen, setOpen] = useState(Object.keys(choice.labels).length > 0);
  if (models.length < 2) return null;
  const take = () => choice.setLabels(typed);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("Model names")}</summary>
      <Stack gap="xs" mt="xs">
        <Text size="sm">
          {t(
            "Models are matched by name. If the two imports use different names for one model, enter the same name here.",
          )}
        </Text>
        <Group gap="sm">
          {models.map((model) => (
            <TextInput
              key={model}
              size="xs"
              label={t("Name for {model}", { model })}
              placeholder={model}
              {...bindText(typed[model] ?? "", (value) => setTyped({ ...typed, [model]: value }))}
              onBlur={take}
              onKeyDown={({ key }) => key === "Enter" && take()}
            />
          ))}
        </Group>
      </Stack>
    </details>
  );
}
