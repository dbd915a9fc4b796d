import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { t } from "@/words";
import { arrive } from "./focus";
import { unbroken } from "./unbroken";

interface Props {
  title: string;
  /** Breadcrumbs above the title. */
  trail?: ReactNode;
  /** Shown next to the title: a state. */
  beside?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}

export function PageHead({ title, trail, beside, lead, actions }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    arrive(heading.current);
    document.title = `${title} · ${t("PaSSER")}`;
  }, [title]);
  return (
    <Stack gap={4} mb="lg">
      {trail}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 22rem">
          <Group gap="sm" align="center">
            <Title order={1} ref={heading} tabIndex={-1}>
              {unbroken(title)}
            </Title>
            {beside}
          </Group>
          {lead && (
            <Text c="var(--quiet)" maw="56rem" style={{ textWrap: "pretty" }}>
              {lead}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </Stack>
  );
}
