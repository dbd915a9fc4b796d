import type { SweepDetail } from "@/api/types";
export function Results({ sweep }: { sweep: SweepDetail }) {
  return <>{sweep.id}</>;
}
