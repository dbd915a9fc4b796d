import { Button, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { ButtonLink } from "@/components/links";

import { words } from "@/words";

export function MissingPage(): ReactNode {
  return (
    <Stack align="flex-start" gap="sm">
      <Title order={1}>{words.errors.missingTitle}</Title>
      <Text>{words.errors.missing}</Text>
      <ButtonLink to="/" variant="default">
        {words.errors.home}
      </ButtonLink>
    </Stack>
  );
}

export function CrashPage(): ReactNode {
  return (
    <Stack align="flex-start" gap="sm" role="alert">
      <Title order={1}>{words.errors.crashTitle}</Title>
      <Text>{words.errors.crash}</Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        {words.errors.reload}
      </Button>
    </Stack>
  );
}
