import { List, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import { api } from "@/api/client";
import { Said } from "@/components/Said";
import { words } from "@/words";
import classes from "./Parts.module.css";

const MINUTE_MS = 60_000;

/** Which parts are there, and for each missing one the command that adds it. */
export function Parts() {
  const { data } = api.useQuery("get", "/api/v1/system", {}, { staleTime: MINUTE_MS });
  if (!data) return null;
  const name = (part: string) => words.shell.partNames[part] ?? part;
  const missing = data.parts.filter((part) => !part.ok).map((part) => name(part.name));
  return (
    <Popover position="top-start" width={300} shadow="md" withinPortal>
      <Popover.Target>
        <UnstyledButton className={classes.button}>
          <Text size="xs">
            {missing.length === 0 ? words.shell.partsReady : words.shell.partsMissing(missing.join(", "))}
          </Text>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.shell.parts}>
        <Stack gap="xs">
          <List size="sm" listStyleType="none" spacing="xs" className={classes.list}>
            {data.parts.map((part) => (
              <List.Item key={part.name}>
                <Text size="sm" fw={600} component="span">
                  {name(part.name)}
                </Text>{" "}
                <Text size="sm" component="span" c={part.ok ? "var(--good-text)" : "var(--warn-text)"}>
                  {part.ok ? words.shell.partOk : words.shell.partNo}
                </Text>
                <Text size="xs" c="var(--quiet)">
                  <Said text={part.detail} wordings={{}} />
                </Text>
                {part.command && <code className={classes.command}>{part.command}</code>}
              </List.Item>
            ))}
          </List>
          <Text size="xs" c="var(--quiet)">
            {words.shell.version(data.version)}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
