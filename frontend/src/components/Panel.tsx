import { Group, Paper, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { unbroken } from "./unbroken";

interface Props {
  title: string;
  beside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, beside, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="md" style={{ borderColor: "var(--line)" }}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {unbroken(title)}
          </Title>
          {beside}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
