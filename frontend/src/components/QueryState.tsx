import { ProblemNotice } from "./ProblemNotice";
import { Waiting } from "./Waiting";

export interface Queried {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface Props {
  query: Queried;
  /** About that of what is loaded; without it nothing is shown until it is there. */
  height?: number;
}

/** In place of what a query loads: a placeholder while it is on its way, the problem when it cannot be had. */
export function QueryState({ query: { isPending, isError, error, refetch }, height }: Props) {
  if (isPending) return height !== undefined && <Waiting height={height} />;
  return isError && <ProblemNotice error={error} onRetry={refetch} />;
}
