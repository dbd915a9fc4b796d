import { List, Text } from "@mantine/core";
import type { CrossDomain } from "@/api/types";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Said, saidOf } from "@/components/Said";
import { words } from "@/words";

const label = words.crossing;

/** What the comparison comes to, in sentences, and what they rest on. */
export function Findings({ crossed }: { crossed: CrossDomain }) {
  const { first, second, pools, statements, control, only_first, only_second, is_comparable, wordings } =
    crossed;
  const apart = [
    only_first.length > 0 && label.onlyIn(first, only_first.join(", ")),
    only_second.length > 0 && label.onlyIn(second, only_second.join(", ")),
  ].filter((sentence) => sentence !== false);
  return (
    <Panel title={label.findings}>
      {!is_comparable && <Note tone="warn">{label.notComparable}</Note>}
      <List spacing={4} aria-label={label.findings}>
        {statements.map((sentence) => (
          <List.Item key={sentence}>
            <Said text={sentence} wordings={wordings} />
          </List.Item>
        ))}
        {apart.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <List size="sm" spacing={4} aria-label={label.basis} c="var(--quiet)">
        {pools.map(({ name, rows }) => (
          <List.Item key={name}>{label.pool(saidOf(name, wordings), formatCount(rows))}</List.Item>
        ))}
      </List>
      {control && (
        <Text size="sm">
          <Text span fw={550} size="sm">
            {label.control}:
          </Text>{" "}
          <Said text={control} wordings={wordings} />
        </Text>
      )}
    </Panel>
  );
}
