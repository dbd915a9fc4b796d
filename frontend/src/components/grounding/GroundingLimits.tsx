import { Checkbox, NumberInput, Select, SimpleGrid } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { GroundingLimits as Limits } from "@/api/types";
import { bindChoice, bindTick } from "@/components/fields";
import { Quiet } from "@/components/Quiet";
import { useAddress } from "@/components/useAddress";
import { t } from "@/words";
import { changedLimits, limitsOf, USUAL } from "./limits";

const SETTLED_MS = 400;

/** Limits of shared keywords as they are typed, and those in the address, which follow a moment later. */
export function useGroundingLimits() {
  const kept: { grounding?: object | undefined } = useSearch({ strict: false });
  const put = useAddress();
  const settled = limitsOf(kept.grounding);
  const [limits, setTyped] = useState(settled);
  const keep = useDebouncedCallback(
    (changed: Limits) => void put({ grounding: changedLimits(changed) }),
    SETTLED_MS,
  );
  const setLimits = (changed: Limits) => {
    setTyped(changed);
    keep(changed);
  };
  return { limits, setLimits, settled };
}

type Props = Pick<ReturnType<typeof useGroundingLimits>, "limits" | "setLimits">;

/** The fields of all limits, above the table that depends on them. */
export function GroundingLimits({ limits, setLimits }: Props) {
  const set = (changed: Partial<Limits>) => setLimits({ ...limits, ...changed });
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
          label={t("Verified citation, at least")}
          description={t("Share of the citing text’s keywords in the passage.")}
          {...share("citation")}
        />
        <NumberInput
          label={t("Grounded sentence, at least")}
          description={t("Share of the sentence’s keywords in all passages.")}
          {...share("grounding")}
        />
        <Select
          label={t("Citation numbers refer to")}
          data={[
            { value: "passage", label: t("Passages of the prompt") },
            { value: "document", label: t("Documents of the prompt") },
          ]}
          {...bindChoice(limits.by, (by) => set({ by }))}
        />
        <Select
          label={t("Citing text")}
          data={[
            { value: "paragraph", label: t("Paragraph") },
            { value: "sentence", label: t("Sentence") },
          ]}
          {...bindChoice(limits.per, (per) => set({ per }))}
        />
      </SimpleGrid>
      <Checkbox
        mb="md"
        label={t("Split passages on white space, as LitPath’s program does")}
        {...bindTick(limits.published, (published) => set({ published }))}
      />
    </>
  );
}

/** Limits of the figures; below the table. */
export function GroundingNote() {
  return (
    <Quiet mt="xs">
      {t(
        "Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.",
      )}{" "}
      {t(
        "Longer prompts raise grounded share by themselves, so compare configurations at equal k, or their distance to chance.",
      )}
    </Quiet>
  );
}
