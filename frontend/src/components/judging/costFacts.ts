import { formatScore } from "@/components/numbers/format";
import { t } from "@/words";

interface Cost {
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
}

/** The tokens that a plan would take, and what they cost where a price is known. */
export function costFacts({ input_tokens, output_tokens, cost }: Cost): [string, string][] {
  const tokens = t("about {input, number} of prompts, at most {output, number} of replies", {
    input: input_tokens,
    output: output_tokens,
  });
  const most =
    cost === null ? t("unknown: enter the prices") : t("at most {cost}", { cost: formatScore(cost, 2) });
  return [
    [t("Tokens"), tokens],
    [t("Cost"), most],
  ];
}
