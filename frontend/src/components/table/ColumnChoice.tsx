import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { bindTick } from "@/components/fields";
import { t } from "@/words";
import { type Column, headingOf } from "./columns";
import classes from "./Table.module.css";
import type { useTablePreferences } from "./useView";

export interface ColumnChoiceProps<Row extends object> {
  preferences: ReturnType<typeof useTablePreferences>;
  columns: readonly Column<Row>[];
  look: object;
}

/** Which columns a table shows, and how densely. */
export default function ColumnChoice<Row extends object>({
  preferences,
  columns,
  look,
}: ColumnChoiceProps<Row>) {
  const [, ...choosable] = columns;
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button {...look} aria-label={t("Choose columns")}>
          {t("Columns")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("Choose columns")} className={classes.choice ?? ""}>
        <Stack gap="xs">
          {choosable.map((column) => (
            <Checkbox
              key={column.id}
              size="xs"
              label={column.name ?? headingOf(column)}
              description={column.title}
              {...bindTick(!preferences.hidden.includes(column.id), (value) =>
                preferences.show(column.id, value),
              )}
            />
          ))}
          <Checkbox
            size="xs"
            mt="xs"
            label={t("Compact rows")}
            {...bindTick(preferences.dense, preferences.setDense)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
