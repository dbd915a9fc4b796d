import { Stack } from "@mantine/core";
import { LanguageChoice } from "@/components/LanguageChoice";
import { AccountLink } from "./AccountLink";
import { Parts } from "./Parts";
import { ProjectChoice } from "./ProjectChoice";
import { SchemeChoice } from "./SchemeChoice";

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
