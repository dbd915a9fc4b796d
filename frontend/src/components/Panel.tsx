import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Panel.module.css";
import { unbroken } from "./unbroken";

interface Props {
  title: string;
  beside?: ReactNode;
  /** Level of its heading; 2 unless it is within a section. */
  level?: 2 | 4;
  /** Framed, because the page is there for it. */
  isCard?: boolean;
  children: ReactNode;
}

/** A section of a page with a heading. */
export function Panel({ title, beside, level = 2, isCard = false, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={isCard ? classes.card : classes.panel}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={level} id={id}>
            {unbroken(title)}
          </Title>
          {beside}
        </Group>
        {children}
      </Stack>
    </section>
  );
}
