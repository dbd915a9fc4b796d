import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A small heading over a text. */
export function Caption({ children }: { children: ReactNode }) {
  return (
    <Text component="h3" fz="0.8125rem" fw={600} c="var(--quiet)">
      {children}
    </Text>
  );
}
