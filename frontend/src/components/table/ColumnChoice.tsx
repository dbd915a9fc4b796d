import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { bindTick } from "@/components/fields";
import { t } from "@/words";
import { type Column, headingOf } from "./columns";
import classes from "./Table.module.css";
import type { useTaste } from "./useView";

export interface ColumnChoiceProps<Row extends object> {
  taste: ReturnType<typeof useTaste>;
  columns: readonly Column<Row>[];
  look: object;
}

/** Which columns a table shows, and how densely. */
export default function ColumnChoice<Row extends object>({ taste, columns, look }: ColumnChoiceProps<Row>) {
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
              {...bindTick(!taste.hidden.includes(column.id), (value) => taste.show(column.id, value))}
            />
          ))}
          <Checkbox size="xs" mt="xs" label={t("Compact rows")} {...bindTick(taste.dense, taste.setDense)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
