import { Group } from "@mantine/core";
import type { RunComparison } from "@/api/types";
import { Note } from "@/components/Note";
import { SaveLinks } from "@/components/SaveLinks";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { t } from "@/words";
import { nameOf, verdictOf } from "./factors";
import { fileOf } from "./files";

type Factor = RunComparison["factors"][number];

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
  return (
    <DataTable
      name="compared-factors"
      at="factors"
      label={t("Differences in configuration")}
      columns={columnsOf(comparison.runs)}
      rows={comparison.factors}
      keyOf={({ factor }) => factor}
      isShort
      filters={
        <Group gap="md">
          <SaveLinks
            title={t("Differences in configuration")}
            fileOf={(format) => fileOf(comparison, "export", { table: "factors", format })}
          />
        </Group>
      }
    />
  );
}

function columnsOf(runs: RunComparison["runs"]): Column<Factor>[] {
  return [
    plainColumn("factor", t("Differences in configuration"), ({ factor }) => nameOf(factor)),
    ...runs.map(
      ({ id, name }, place): Column<Factor> => plainColumn(id, name, ({ values }) => values[place] ?? ""),
    ),
  ];
}
