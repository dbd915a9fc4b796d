import { TextInput } from "@mantine/core";
import type { ComponentProps } from "react";
import { t } from "@/words";

interface Props extends Omit<ComponentProps<typeof TextInput>, "label" | "description" | "placeholder"> {
  /** Whether the form has a price, so that money can be limited too. */
  hasPrice?: boolean;
}

/** Limits at which work pauses, as the command line reads them. */
export function BudgetField({ hasPrice = false, ...field }: Props) {
  return (
    <TextInput
      label={t("Budget")}
      description={
        hasPrice
          ? t(
              "Pauses with the results so far at this limit: 500-asks, 200k-tokens, 90min, 2h or 5EUR. Commas separate several.",
            )
          : t(
              "Pauses with the results so far at this limit: 500-asks, 200k-tokens, 90min or 2h. Commas separate several.",
            )
      }
      placeholder={t("No limit")}
      {...field}
    />
  );
}
