import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { t } from "@/words";

const TYPED_MS = 250;

interface Props {
  /** Text in the address that the table is searched for; empty shows all rows. */
  text: string;
  onFind: (text: string) => void;
}

/** Search field of a table; it searches shortly after the last key. */
export function Find({ text, onFind }: Props) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  // When the reader goes back, the field shows the earlier text. A text that the field itself has sent comes back while
  // the next letters are typed, and must not replace them.
  useEffect(() => {
    if (text !== sent.current) setTyped(text);
    sent.current = text;
  }, [text]);
  const seek = useDebouncedCallback((next: string) => {
    sent.current = next;
    onFind(next);
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
