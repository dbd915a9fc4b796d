import { SimpleGrid, type SimpleGridProps } from "@mantine/core";

/** The fields of a form: two in a row where there is room. */
export function FieldGrid(props: Omit<SimpleGridProps, "cols" | "spacing">) {
  return <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" {...props} />;
}
