import { List, type ListProps } from "@mantine/core";
import { ServerText } from "./ServerText";

interface Props extends Omit<ListProps, "children"> {
  texts: readonly string[];
}

/** Sentences of the server or of the page, one below the other; nothing without any. */
export function Sentences({ texts, ...list }: Props) {
  if (texts.length === 0) return null;
  return (
    <List size="sm" {...list}>
      {texts.map((text) => (
        <List.Item key={text}>
          <ServerText text={text} />
        </List.Item>
      ))}
    </List>
  );
}
