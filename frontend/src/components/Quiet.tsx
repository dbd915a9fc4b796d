import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

interface Props extends TextProps {
  role?: "status";
  title?: string;
  children: ReactNode;
}

/** Small text that explains, and does not ask to be read. */
export function Quiet(props: Props) {
  return <Text size="sm" c="var(--quiet)" {...props} />;
}
