import { Group } from "@mantine/core";
import type { RunComparison } from "@/api/types";
import { Note } from "@/components/Note";
import { SaveLinks } from "@/components/SaveLinks";
import type { Column } from "@/components/table/columns";
import { DataTable } from "@/components/table/DataTable";
import { useTable } from "@/components/table/useTable";
import { words } from "@/words";
import { nameOf, verdictOf } from "./factors";
import { fileOf } from "./files";

type Factor = RunComparison["factors"][number];

const label = words.compare;

/** Whether the comparison is controlled or confounded, and by what. */
export function Factors({ comparison }: { comparison: RunComparison }) {
  const { factors } = comparison;
  const { isControlled, sentence } = verdictOf(factors);
  return (
    <>
      <Note tone={isControlled ? "plain" : "warn"} role="status">
        {sentence}
      </Note>
      {factors.length > 0 && <FactorTable comparison={comparison} />}
    </>
  );
}

function FactorTable({ comparison }: { comparison: RunComparison }) {
  const columns = columnsOf(comparison.runs);
  const table = useTable("compared-factors", columns, { key: "factors" });
  return (
    <DataTable
      label={label.factor}
      columns={columns}
      rows={comparison.factors}
      table={table}
      keyOf={({ factor }) => factor}
      isShort
      filters={
        <Group gap="md">
          <SaveLinks
            title={label.factor}
            fileOf={(format) => fileOf(comparison, "export", { table: "factors", format })}
          />
        </Group>
      }
    />
  );
}

function columnsOf(runs: RunComparison["runs"]): Column<Factor>[] {
  const own = ({ factor }: Factor) => nameOf(factor);
  return [
    { id: "factor", label: label.factor, cell: own, text: own },
    ...runs.map(({ id, name }, place): Column<Factor> => {
      const value = ({ values }: Factor) => values[place] ?? "";
      return { id, label: name, cell: value, text: value };
    }),
  ];
}
