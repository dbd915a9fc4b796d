import type { ReactNode } from "react";
export function QuestionPage(): ReactNode {
  return null;
}
