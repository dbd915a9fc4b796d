import { AppShell, Burger, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEffect } from "react";
import { words } from "@/words";
import { LanguageChoice } from "./LanguageChoice";
import { Navigation } from "./Navigation";
import { Parts } from "./Parts";
import { SchemeChoice } from "./SchemeChoice";
import classes from "./Shell.module.css";

export function Shell(): ReactNode {
  const [opened, navigation] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // A page was chosen: on a narrow screen the navigation makes room for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the event, not a value that is read
  useEffect(navigation.close, [path]);

  return (
    <AppShell
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "md", sm: "xl" }}
    >
      <a className={classes.skip} href="#content">
        {words.shell.skip}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm">
          <Burger
            size="sm"
            opened={opened}
            onClick={navigation.toggle}
            aria-label={words.shell.openNavigation}
            aria-expanded={opened}
          />
          <Text fw={650}>{words.shell.product}</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md" className={classes.navbar}>
        <Text fw={700} size="lg" mb="md" px="xs" visibleFrom="sm">
          {words.shell.product}
        </Text>
        <Navigation />
        <Stack gap="sm" mt="auto" pt="md">
          <Parts />
          <LanguageChoice />
          <SchemeChoice />
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
