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
              "Pauses at this limit and keeps the results so far. Examples: 500-asks, 200k-tokens, 90min, 2h or 5EUR. Separate several limits with commas.",
            )
          : t(
              "Pauses at this limit and keeps the results so far. Examples: 500-asks, 200k-tokens, 90min or 2h. Separate several limits with commas.",
            )
      }
      // Of a small field the hint would be 10 px.
      descriptionProps={{ fz: "xs" }}
      placeholder={t("No limit")}
      {...field}
    />
  );
}
