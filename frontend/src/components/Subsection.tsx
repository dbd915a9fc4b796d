import { Stack } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of a panel under its own heading. */
export function Subsection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </Stack>
  );
}
