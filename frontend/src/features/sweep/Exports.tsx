import { Anchor, Group, Text } from "@mantine/core";
import { words } from "@/words";

const FORMATS = ["csv", "xlsx", "jsonl"] as const;
const TABLES = ["composites", "evaluations"] as const;

/** The tables as files. */
export function Exports({ id }: { id: string }) {
  return (
    <Group gap="lg">
      {TABLES.map((table) => (
        <Group key={table} gap={8}>
          <Text size="sm" c="var(--quiet)">
            {words.sweep.exports[table]}
          </Text>
          {FORMATS.map((format) => (
            <Anchor
              key={format}
              size="sm"
              href={`/api/v1/sweeps/${encodeURIComponent(id)}/export?format=${format}&table=${table}`}
              download
              aria-label={words.sweep.exportName(words.sweep.exports[table], format.toUpperCase())}
            >
              {format.toUpperCase()}
            </Anchor>
          ))}
        </Group>
      ))}
    </Group>
  );
}
