import { Anchor, Group } from "@mantine/core";
import { t } from "@/words";

const FORMATS = ["csv", "xlsx", "latex"] as const;
const NAMES = { csv: "CSV", xlsx: "XLSX", latex: "LaTeX" };

interface Props {
  /** What is saved. */
  title: string;
  /** Address of the file in a format. */
  fileOf: (format: (typeof FORMATS)[number]) => string;
}

/** A table of the server, saved as CSV, XLSX or LaTeX. */
export function SaveLinks({ title, fileOf }: Props) {
  return (
    <Group gap={8}>
      {FORMATS.map((format) => (
        <Anchor
          key={format}
          size="sm"
          href={fileOf(format)}
          download
          aria-label={t("Save {title} as {format}", { title, format: NAMES[format] })}
        >
          {NAMES[format]}
        </Anchor>
      ))}
    </Group>
  );
}
