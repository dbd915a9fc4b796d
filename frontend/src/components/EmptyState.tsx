import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Panel.module.css";

interface Props {
  title: string;
  text: string;
  /** What can be done now. */
  children: ReactNode;
}

/** Nothing yet: what this is for, and what to do next. */
export function EmptyState({ title, text, children }: Props) {
  return (
    <Stack className={classes.empty ?? ""}>
      <Title order={2}>{title}</Title>
      <Text maw="40rem">{text}</Text>
      {children}
    </Stack>
  );
}
