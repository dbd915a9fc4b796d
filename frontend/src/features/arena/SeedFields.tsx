import { NumberInput, SimpleGrid } from "@mantine/core";
import { bindWhole } from "@/components/fields";
import { t } from "@/words";

/** What a tournament is made of besides its texts, as it is typed; empty means the default. */
export interface Reproduced {
  window: number | string;
  judgeSeed: number | string;
  drawSeed: number | string;
}

export const USUAL: Reproduced = { window: "", judgeSeed: "", drawSeed: "" };

interface Props {
  value: Reproduced;
  onChange: (value: Reproduced) => void;
}

/** The window of the judge and the seeds, which few people change. */
export function SeedFields({ value, onChange }: Props) {
  return (
    <details>
      <summary>{t("Context window and seeds")}</summary>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md" mt="xs">
        <NumberInput
          label={t("Context window of the judge")}
          description={t("In tokens. A game that does not fit has no verdict.")}
          min={512}
          step={1024}
          {...bindWhole(value.window, (window) => onChange({ ...value, window }))}
        />
        <NumberInput
          label={t("Seed of the judge")}
          min={0}
          max={2 ** 31 - 1}
          {...bindWhole(value.judgeSeed, (judgeSeed) => onChange({ ...value, judgeSeed }))}
        />
        <NumberInput
          label={t("Seed of the draw")}
          description={t("Determines pairs and orders. The same seed gives the same games.")}
          min={0}
          max={2 ** 31 - 1}
          {...bindWhole(value.drawSeed, (drawSeed) => onChange({ ...value, drawSeed }))}
        />
      </SimpleGrid>
    </details>
  );
}
