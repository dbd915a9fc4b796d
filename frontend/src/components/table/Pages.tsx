import { Button, Group, Text } from "@mantine/core";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

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
          {t("This page is past the end of the list.")}
        </Text>
        <Button variant="default" size="xs" onClick={() => onPage(last)}>
          {t("Last page")}
        </Button>
      </Group>
    );
  }
  return (
    <Group justify="space-between">
      <Quiet>
        {t("{first, number}–{last, number} of {total, number}", {
          first: first + 1,
          last: first + shown,
          total,
        })}
      </Quiet>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={first === 0} onClick={() => onPage(page - 1)}>
          {t("Previous page")}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={first + limit >= total}
          onClick={() => onPage(page + 1)}
        >
          {t("Next page")}
        </Button>
      </Group>
    </Group>
  );
}
