import type { ReactNode } from "react";
import { AnchorLink } from "@/components/links";
import { t } from "@/words";
import type { Goal } from "./goals";

const BEHIND = {
  "/runs/$id": t("Show the questions of this configuration"),
  "/compare": t("Show the questions that changed most from the baseline"),
  "/analysis/imports/$id/questions": t("Show the questions of this sheet"),
};

interface Props {
  goal: Goal | undefined;
  children: ReactNode;
}

/** A number or a name that links to its questions; plain text without a goal. */
export function GoalLink({ goal, children }: Props) {
  if (!goal) return children;
  return (
    <AnchorLink {...goal} inherit title={BEHIND[goal.to]} onClick={(event) => event.stopPropagation()}>
      {children}
    </AnchorLink>
  );
}
