import {
  List,
  NativeSelect,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PROJECT_PATH, pathOf } from "@/api/project";
import { accountQueries } from "@/api/session";
import { systemQueries } from "@/api/system";
import { bindText } from "@/components/fields";
import { LanguageChoice } from "@/components/LanguageChoice";
import { SmallLink } from "@/components/links";
import { Quiet } from "@/components/Quiet";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import { availability, PARTS, toneOf } from "@/words/parts";
import classes from "./Parts.module.css";

/** The foot of the navigation: the parts of the installation, language and colours. */
export default function ShellFoot() {
  return (
    <Stack gap="sm" mt="auto" pt="md">
      <ProjectChoice />
      <AccountLink />
      <Parts />
      <LanguageChoice />
      <SchemeChoice />
    </Stack>
  );
}

/** Who is signed in, as a link to the account; nothing where nobody signs in. */
function AccountLink() {
  const { data } = useQuery(accountQueries.session());
  if (!data?.account) return null;
  return (
    <div>
      <SmallLink to="/account">{t("Signed in as {name}", { name: data.account })}</SmallLink>
      {data.role === "viewer" && (
        <Quiet size="xs">{t("Viewer: you can read everything, but not change it.")}</Quiet>
      )}
    </div>
  );
}

/** Which parts are there, and for each missing one the command that adds it. */
function Parts() {
  const { data } = useQuery(systemQueries.parts());
  // Its place is kept: the account above it would move away from a pointer that is about to press it.
  if (!data) {
    return (
      <Text size="xs" className={classes.button} aria-hidden>
        &nbsp;
      </Text>
    );
  }
  const name = (part: string) => PARTS[part] ?? part;
  const missing = data.parts.filter((part) => !part.ok && part.is_configured).map((part) => name(part.name));
  return (
    <Popover position="top-start" width={300} shadow="md" withinPortal trapFocus returnFocus>
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
                  <ServerText text={part.detail} />
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

/** The project that the pages show, and the others that may be used; nothing where there is only the default one. */
function ProjectChoice() {
  const { data } = useQuery(accountQueries.session());
  const names = (data?.projects ?? []).map(({ name }) => name);
  if (!data?.project || (names.length < 2 && !PROJECT_PATH)) return null;
  // One that is not the reader's, or does not exist, is shown as what it is: the pages say why they are empty.
  const options = names.includes(data.project) ? names : [data.project, ...names];
  return (
    <NativeSelect
      label={t("Project")}
      size="xs"
      data={options}
      {...bindText(data.project, (value) => globalThis.location.assign(pathOf(value)))}
      // The page is loaded anew, so that nothing of one project stays in the memory of another.
    />
  );
}

const NAMES = { auto: t("System", {}, "colours"), light: t("Light"), dark: t("Dark") };

const SCHEMES = ["auto", "light", "dark"] as const;

function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t("Colour scheme")}
      value={colorScheme}
      onChange={setColorScheme}
      data={SCHEMES.map((value) => ({ value, label: NAMES[value] }))}
    />
  );
}
