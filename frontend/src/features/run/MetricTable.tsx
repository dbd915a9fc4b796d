import type { Run } from "@/api/types";
export function MetricTable({ run }: { run: Run }) {
  return <>{run.id}</>;
}
