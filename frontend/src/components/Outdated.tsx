import { Stack } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  /** Whether the content belongs to the previous choice. */
  isOld: boolean;
  children: ReactNode;
}

/** Results of the previous choice, faded and inactive until those of the current choice are there. */
export function Outdated({ isOld, children }: Props) {
  return (
    <Stack gap="lg" aria-busy={isOld} inert={isOld} opacity={isOld ? 0.5 : 1}>
      {children}
    </Stack>
  );
}
