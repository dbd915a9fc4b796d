import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Panel.module.css";
import { unbroken } from "./unbroken";

interface Props {
  title: string;
  beside?: ReactNode;
  /** Framed, because the page is there for it. */
  isCard?: boolean;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, beside, isCard = false, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={isCard ? classes.card : classes.panel}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {unbroken(title)}
          </Title>
          {beside}
        </Group>
        {children}
      </Stack>
    </section>
  );
}
