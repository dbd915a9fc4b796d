import { NumberInput, SimpleGrid } from "@mantine/core";
import { typedNumber } from "@/components/numbers/typed";
import { t } from "@/words";

/** Prices of a million tokens, as they are typed. */
export interface TypedPrice {
  input: number | string;
  output: number | string;
}

export const NO_PRICE: TypedPrice = { input: "", output: "" };

/** The price of a request; null while one of the two is missing. */
export function priceOf({ input, output }: TypedPrice) {
  const typed = { input: typedNumber(input), output: typedNumber(output) };
  return typed.input === null || typed.output === null ? null : { input: typed.input, output: typed.output };
}

interface Props {
  price: TypedPrice;
  onChange: (price: TypedPrice) => void;
}

/** What tokens cost, so that a plan can say what it costs. */
export function PriceFields({ price, onChange }: Props) {
  return (
    <SimpleGrid cols={2} spacing="xs">
      <NumberInput
        label={t("Price of input")}
        description={t("per million tokens")}
        min={0}
        value={price.input}
        onChange={(input) => onChange({ ...price, input })}
      />
      <NumberInput
        label={t("Price of output")}
        description={t("per million tokens")}
        min={0}
        value={price.output}
        onChange={(output) => onChange({ ...price, output })}
      />
    </SimpleGrid>
  );
}
