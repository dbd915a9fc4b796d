import { NumberInput, SimpleGrid } from "@mantine/core";
import { bindText, typedNumber } from "@/components/fields";
import { t } from "@/words";
import { BudgetField } from "./BudgetField";

/** A budget, and the prices of a million tokens, as they are typed. */
export interface Costs {
  budget: string;
  input: number | string;
  output: number | string;
}

export const NO_COSTS: Costs = { budget: "", input: "", output: "" };

/** Budget and price of a request; no price while one of the two is missing. */
export function sentCosts({ budget, ...typed }: Costs) {
  const [input, output] = [typedNumber(typed.input), typedNumber(typed.output)];
  return { budget, price: input === null || output === null ? null : { input, output } };
}

interface Props {
  costs: Costs;
  onChange: (costs: Costs) => void;
}

/** Limits at which work pauses, and the price of tokens, from which a plan computes the cost. */
export function CostFields({ costs, onChange }: Props) {
  return (
    <>
      <BudgetField hasPrice {...bindText(costs.budget, (budget) => onChange({ ...costs, budget }))} />
      <SimpleGrid cols={2} spacing="xs">
        <NumberInput
          label={t("Price of input")}
          description={t("per million tokens")}
          min={0}
          value={costs.input}
          onChange={(input) => onChange({ ...costs, input })}
        />
        <NumberInput
          label={t("Price of output")}
          description={t("per million tokens")}
          min={0}
          value={costs.output}
          onChange={(output) => onChange({ ...costs, output })}
        />
      </SimpleGrid>
    </>
  );
}
