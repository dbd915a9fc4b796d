import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
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
  const sent = useRef(sought);
  // Going back brings what was sought back into its field. What the field itself has sent arrives while the next letters
  // are typed, and must not take them away.
  useEffect(() => {
    if (sought !== sent.current) setTyped(sought);
    sent.current = sought;
  }, [sought]);
  const seek = useDebouncedCallback((text: string) => {
    sent.current = text;
    onFind(text);
  }, TYPED_MS);
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
