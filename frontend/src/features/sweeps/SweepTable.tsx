import { accepting } from "@/api/steering";
import type { SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { SteerButtons } from "@/components/steering/SteerButtons";
import { DataTable } from "@/components/table/DataTable";
import { type Selection, useSelection } from "@/components/table/useRows";
import { t } from "@/words";
import { COLUMNS } from "./columns";

/** All sweeps, newest first; a row opens its sweep, and what is ticked is steered together. */
export function SweepTable({ items }: { items: SweepDetail[] }) {
  const selection = useSelection();
  return (
    <DataTable
      name="sweeps"
      at=""
      label={t("Sweeps")}
      columns={COLUMNS}
      rows={items}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      open={({ id }) => ({ to: "/sweeps/$id", params: { id } })}
      selection={selection}
      acts={<Acts selection={selection} items={items} />}
    />
  );
}

/** Steer all runs of what is ticked; one alone can be set up again. */
function Acts({ selection, items }: { selection: Selection; items: SweepDetail[] }) {
  const ticked = items.filter(({ id }) => selection.has(id));
  const [only, ...others] = ticked;
  return (
    <>
      {only && others.length === 0 && (
        <ButtonLink to="/new" search={{ copy: only.id }} variant="default" size="xs">
          {t("Copy as new sweep")}
        </ButtonLink>
      )}
      <SteerButtons
        runs={ticked.flatMap(({ runs }) => runs)}
        names={ticked.filter(({ runs }) => accepting("cancel", runs).length > 0).map(({ name }) => name)}
      />
    </>
  );
}
