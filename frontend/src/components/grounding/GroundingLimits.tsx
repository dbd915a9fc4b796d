import { Checkbox, NumberInput, Select, SimpleGrid, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { GroundingLimits as Limits } from "@/api/types";
import { t } from "@/words";

/** Limits that the server uses where none are given. */
export const USUAL: Limits = {
  citation: 0.15,
  grounding: 0.3,
  by: "passage",
  per: "paragraph",
  published: false,
};
const SETTLED_MS = 400;

/** Limits of shared keywords, and those that were last typed for a while: the ones to ask for. */
export function useGroundingLimits() {
  const [limits, setLimits] = useState(USUAL);
  const [settled] = useDebouncedValue(limits, SETTLED_MS);
  return { limits, setLimits, settled };
}

type Props = Pick<ReturnType<typeof useGroundingLimits>, "limits" | "setLimits">;

/** The fields of all limits, above the table that depends on them. */
export function GroundingLimits({ limits, setLimits }: Props) {
  const set = (changed: Partial<Limits>) => setLimits((before) => ({ ...before, ...changed }));
  const share = (name: "citation" | "grounding") => ({
    min: 0,
    max: 1,
    step: 0.05,
    decimalScale: 2,
    clampBehavior: "strict" as const,
    value: limits[name],
    onChange: (value: number | string) => set({ [name]: typeof value === "number" ? value : USUAL[name] }),
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" mb="md" maw="36rem">
        <NumberInput
          label={t("Citations are verified from")}
          description={t("Share of the citing text's keywords in the passage.")}
          {...share("citation")}
        />
        <NumberInput
          label={t("Sentences are grounded from")}
          description={t("Share of the sentence's keywords in all passages.")}
          {...share("grounding")}
        />
        <Select
          allowDeselect={false}
          label={t("Numbers of citations count")}
          data={[
            { value: "passage", label: t("Passages of the prompt") },
            { value: "document", label: t("Documents of the prompt") },
          ]}
          value={limits.by}
          onChange={(value) => set({ by: value as Limits["by"] })}
        />
        <Select
          allowDeselect={false}
          label={t("Citing text")}
          data={[
            { value: "paragraph", label: t("Paragraph") },
            { value: "sentence", label: t("Sentence") },
          ]}
          value={limits.per}
          onChange={(value) => set({ per: value as Limits["per"] })}
        />
      </SimpleGrid>
      <Checkbox
        mb="md"
        label={t("Split passages on white space, as LitPath's program does")}
        checked={limits.published}
        onChange={({ currentTarget }) => set({ published: currentTarget.checked })}
      />
    </>
  );
}

/** What the figures do not say; below the table. */
export function GroundingNote() {
  return (
    <Text size="sm" c="var(--quiet)" mt="xs">
      {t(
        "Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.",
      )}{" "}
      {t(
        "Longer prompts raise grounded share by themselves, so compare configurations at equal k, or their distance to chance.",
      )}
    </Text>
  );
}
