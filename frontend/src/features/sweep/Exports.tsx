import { Anchor, Group, Text } from "@mantine/core";
import { inProject } from "@/api/project";
import { t } from "@/words";

const EXPORTS = { composites: t("This table"), evaluations: t("All evaluations") };

const FORMATS = ["csv", "xlsx", "jsonl"] as const;
const TABLES = ["composites", "evaluations"] as const;

/** The tables as files. */
export function Exports({ id }: { id: string }) {
  return (
    <Group gap="lg">
      {TABLES.map((table) => (
        <Group key={table} gap={8}>
          <Text size="sm" c="var(--quiet)">
            {EXPORTS[table]}
          </Text>
          {FORMATS.map((format) => (
            <Anchor
              key={format}
              size="sm"
              href={inProject(
                `/api/v1/sweeps/${encodeURIComponent(id)}/export?format=${format}&table=${table}`,
              )}
              download
              aria-label={t("{table} as {format}", { table: EXPORTS[table], format: format.toUpperCase() })}
            >
              {format.toUpperCase()}
            </Anchor>
          ))}
        </Group>
      ))}
    </Group>
  );
}
