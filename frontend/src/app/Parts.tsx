import { List, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import { Quiet } from "@/components/Quiet";
import { Said } from "@/components/Said";
import { t } from "@/words";
import { availability, PARTS, toneOf } from "@/words/parts";
import classes from "./Parts.module.css";

/** Which parts are there, and for each missing one the command that adds it. */
export function Parts() {
  const { data } = useQuery(systemQueries.parts());
  if (!data) return null;
  const name = (part: string) => PARTS[part] ?? part;
  const missing = data.parts.filter((part) => !part.ok && part.is_configured).map((part) => name(part.name));
  return (
    <Popover position="top-start" width={300} shadow="md" withinPortal>
      <Popover.Target>
        <UnstyledButton className={classes.button}>
          <Text size="xs">
            {missing.length === 0
              ? t("All components available")
              : t("Not connected: {names}", { names: missing.join(", ") })}
          </Text>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("Components")}>
        <Stack gap="xs">
          <List size="sm" listStyleType="none" spacing="xs" className={classes.list}>
            {data.parts.map((part) => (
              <List.Item key={part.name}>
                <Text size="sm" fw={600} component="span">
                  {name(part.name)}
                </Text>{" "}
                <Text size="sm" component="span" c={toneOf(part)}>
                  {availability(part)}
                </Text>
                <Quiet size="xs">
                  <Said text={part.detail} />
                </Quiet>
                {part.command && <code className={classes.command}>{part.command}</code>}
              </List.Item>
            ))}
          </List>
          <Quiet size="xs">{t("Version {version}", { version: data.version })}</Quiet>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
