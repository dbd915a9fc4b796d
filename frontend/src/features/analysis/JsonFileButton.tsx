import { Button, FileButton } from "@mantine/core";

interface Props<Found> {
  label: string;
  /** What is looked for in the text of the file; null where it is not in it. */
  find: (text: string) => Found | null;
  onFound: (found: Found) => void;
  /** Called with the name of a file without it, and with null before the next file is read. */
  onUnread: (name: string | null) => void;
}

/** Chooses a file that PaSSER wrote as JSON. */
export function JsonFileButton<Found>({ label, find, onFound, onUnread }: Props<Found>) {
  const read = async (chosen: File | null) => {
    if (!chosen) return;
    const found = find(await chosen.text());
    onUnread(found === null ? chosen.name : null);
    if (found !== null) onFound(found);
  };
  return (
    <FileButton accept="application/json,.json" onChange={read}>
      {(props) => (
        <Button {...props} variant="default">
          {label}
        </Button>
      )}
    </FileButton>
  );
}
