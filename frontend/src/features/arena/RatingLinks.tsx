import { Stack, Text } from "@mantine/core";
import { inProject } from "@/api/project";
import type { NewLink } from "@/api/types";
import { Command } from "@/components/Command";
import { t } from "@/words";

/** New links of raters: they are shown once, because only a digest of their secret is stored. */
export function RatingLinks({ links }: { links: readonly NewLink[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        {t("Copy the links now. They are shown only once. Anyone who has a link can rate under this name.")}
      </Text>
      {links.map(({ rater, path }) => (
        <Stack key={rater} gap={2}>
          <Text size="sm">{rater}</Text>
          <Command text={globalThis.location.origin + inProject(path)} />
        </Stack>
      ))}
    </Stack>
  );
}
