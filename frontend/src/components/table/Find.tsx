import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { t } from "@/words";

const TYPED_MS = 250;

interface Props {
  /** What is sought now; empty for nothing. */
  sought: string;
  onFind: (text: string) => void;
}

/** The field that seeks in a table, a little after the last key. */
export function Find({ sought, onFind }: Props) {
  const [typed, setTyped] = useState(sought);
  // Going back brings what was sought back into its field.
  useEffect(() => setTyped(sought), [sought]);
  const seek = useDebouncedCallback(onFind, TYPED_MS);
  return (
    <TextInput
      type="search"
      size="xs"
      label={t("Find")}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        seek(value);
      }}
    />
  );
}
