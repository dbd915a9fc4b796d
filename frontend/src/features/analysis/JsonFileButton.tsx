import { Button, FileButton } from "@mantine/core";

interface Props<Found> {
  label: string;
  /** Return the wanted value of the file's text; null if the text does not contain it. */
  find: (text: string) => Found | null;
  onFound: (found: Found) => void;
  /** Called for each file: with its name if it does not contain the value, else with null. */
  onUnread: (name: string | null) => void;
}

/** Button to choose a JSON file that PaSSER wrote. */
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
