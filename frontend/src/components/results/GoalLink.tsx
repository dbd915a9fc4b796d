import type { ReactNode } from "react";
import { AnchorLink } from "@/components/links";
import { words } from "@/words";
import type { Goal } from "./goals";

interface Props {
  goal: Goal | undefined;
  children: ReactNode;
}

/** A number or a name that leads to the questions behind it; without a goal it stands alone. */
export function GoalLink({ goal, children }: Props) {
  if (!goal) return children;
  return (
    <AnchorLink
      {...goal}
      inherit
      title={words.analysis.behind[goal.to]}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </AnchorLink>
  );
}
