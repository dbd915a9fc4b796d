import { Button, Group, Text } from "@mantine/core";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";

const label = words.tables;

interface Props {
  /** Place of the first row shown. */
  first: number;
  /** How many are shown. */
  shown: number;
  total: number;
  limit: number;
  onPage: (page: number) => void;
}

/** Where one is in a list of several pages, and the ways on. */
export function Pages({ first, shown, total, limit, onPage }: Props) {
  if (total <= limit && first === 0) return null;
  const page = Math.floor(first / limit);
  if (shown === 0 && first > 0) {
    const last = Math.max(0, Math.ceil(total / limit) - 1);
    return (
      <Group justify="space-between">
        <Text size="sm" role="status">
          {label.beyond}
        </Text>
        <Button variant="default" size="xs" onClick={() => onPage(last)}>
          {label.last}
        </Button>
      </Group>
    );
  }
  return (
    <Group justify="space-between">
      <Text size="sm" c="var(--quiet)">
        {label.range(formatCount(first + 1), formatCount(first + shown), formatCount(total))}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={first === 0} onClick={() => onPage(page - 1)}>
          {label.previous}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={first + limit >= total}
          onClick={() => onPage(page + 1)}
        >
          {label.next}
        </Button>
      </Group>
    </Group>
  );
}
