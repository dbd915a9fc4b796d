import { Burger, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { optional } from "@/api/chunks";
import { useIsOutside, useMayOpen } from "@/components/ForRole";
import { NEWS } from "@/components/focus";
import { ClosedPage, OutsidePage } from "@/components/NoPage";
import { printInLight } from "@/components/printing";
import { t } from "@/words";
import { Connection } from "./Connection";
import { Navigation } from "./Navigation";
import { Palette } from "./Palette";
import classes from "./Shell.module.css";
import { Shortcuts } from "./Shortcuts";

// Not needed to read the page: they come after the first paint.
const HintLayer = lazy(optional(async () => ({ default: (await import("./HintLayer")).HintLayer })));
const ShellFoot = lazy(optional(() => import("./ShellFoot")));

export function Shell(): ReactNode {
  const [opened, navigation] = useDisclosure();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isOpen = useMayOpen()(path);
  const isOutside = useIsOutside();
  useEffect(printInLight, []);
  // A page was chosen: on a narrow screen the navigation makes room for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the event, not a value that is read
  useEffect(navigation.close, [path]);

  return (
    // Mantine's AppShell would add 10 kB to the first load: panels that are resized, and a lock of the scroll bar.
    <>
      <a className={classes.skip} href="#content">
        {t("Skip to content")}
      </a>
      <header className={classes.header}>
        <Group h="100%" px="md" gap="sm">
          <Burger
            size="sm"
            opened={opened}
            onClick={navigation.toggle}
            aria-label={t("Open navigation")}
            aria-expanded={opened}
          />
          <Text fw={650}>{t("PaSSER")}</Text>
        </Group>
      </header>
      <nav className={classes.navbar} data-opened={opened || undefined}>
        <Text fw={700} size="lg" mb="sm" px="xs" visibleFrom="md">
          {t("PaSSER")}
        </Text>
        <Navigation />
        <Suspense>
          <ShellFoot />
        </Suspense>
      </nav>
      <VisuallyHidden id={NEWS} role="status" />
      <Suspense>
        <HintLayer />
      </Suspense>
      <Shortcuts />
      <Palette />
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          <Connection />
          {isOpen ? <Outlet /> : isOutside ? <OutsidePage /> : <ClosedPage />}
        </div>
      </main>
    </>
  );
}
