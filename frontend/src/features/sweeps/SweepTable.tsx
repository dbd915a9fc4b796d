import { useNavigate } from "@tanstack/react-router";
import type { SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { FITS } from "@/components/steering/acts";
import { SteerButtons } from "@/components/steering/SteerButtons";
import { DataTable } from "@/components/table/DataTable";
import { type Selection, useSelection } from "@/components/table/useSelection";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";
import { COLUMNS } from "./columns";

const label = words.sweeps;

/** All sweeps, newest first; a row opens its sweep, and what is ticked is steered together. */
export function SweepTable({ items }: { items: SweepDetail[] }) {
  const navigate = useNavigate();
  const table = useTable("sweeps", COLUMNS);
  const selection = useSelection();
  return (
    <DataTable
      label={label.title}
      columns={COLUMNS}
      rows={items}
      table={table}
      keyOf={({ id }) => id}
      nameOf={({ sweep }) => sweep.name}
      onOpen={({ id }) => navigate({ to: "/sweeps/$id", params: { id } })}
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
          {label.copy}
        </ButtonLink>
      )}
      <SteerButtons
        runs={ticked.flatMap(({ runs }) => runs)}
        names={ticked.filter(({ runs }) => runs.some(FITS.cancel)).map(({ sweep }) => sweep.name)}
      />
    </>
  );
}
