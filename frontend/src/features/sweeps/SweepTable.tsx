import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useMemo } from "react";
import { optional } from "@/api/chunks";
import type { SweepDetail } from "@/api/types";
import { DataTable } from "@/components/table";
import { useSelection } from "@/components/table/useRows";
import { t } from "@/words";
import { columnsOf } from "./columns";

// Nothing is ticked at first, so the buttons are no part of the first load.
const TickedActs = lazy(
  optional(() => import("./TickedActs").then(({ TickedActs }) => ({ default: TickedActs }))),
);

/** All sweeps, newest first; a row opens its sweep, and what is ticked is steered together. */
export function SweepTable({ items }: { items: SweepDetail[] }) {
  const selection = useSelection();
  const cache = useQueryClient();
  const columns = useMemo(() => columnsOf(cache), [cache]);
  return (
    <DataTable
      name="sweeps"
      at=""
      label={t("Sweeps")}
      columns={columns}
      rows={items}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      open={({ id }) => ({ to: "/sweeps/$id", params: { id } })}
      selection={selection}
      acts={
        <Suspense fallback={null}>
          <TickedActs selection={selection} items={items} />
        </Suspense>
      }
    />
  );
}
