import { Group, Select } from "@mantine/core";
import { useState } from "react";
import type { RetrievalReport } from "@/api/types";
import { bindChoice } from "@/components/fields";
import { FigureView } from "@/figures/FigureView";
import { t } from "@/words";

/** One measure over the number of passages, a line for each retriever. */
export function Curves({ curves }: { curves: NonNullable<RetrievalReport["curves"]> }) {
  const [chosen, choose] = useState("r-at-k");
  const figure = curves.find(({ id }) => id === chosen) ?? curves[0];
  if (!figure) return null;
  return (
    <>
      <Group>
        <Select
          label={t("Curve")}
          data={curves.map(({ id, title }) => ({ value: id, label: title }))}
          {...bindChoice(figure.id, choose)}
          w={{ base: "100%", sm: 420 }}
        />
      </Group>
      <FigureView key={figure.id} figure={figure} />
    </>
  );
}
