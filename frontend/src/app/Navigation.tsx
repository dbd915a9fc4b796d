import { useRouterState } from "@tanstack/react-router";
import { useId } from "react";
import { useIsOutside } from "@/components/ForRole";
import { NavigationLink } from "@/components/links";
import { t } from "@/words";
import { GROUPS } from "./places";
import classes from "./Shell.module.css";

export function Navigation() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  // The headings of groups without a page.
  if (useIsOutside()) return null;
  return (
    <nav aria-label={t("Main")}>
      {GROUPS.map((group) => (
        <Group key={group.name} group={group} path={path} />
      ))}
    </nav>
  );
}

function Group({ group: { name, places }, path }: { group: (typeof GROUPS)[number]; path: string }) {
  const id = useId();
  return (
    <section className={classes.group} {...(name ? { "aria-labelledby": id } : {})}>
      {name && (
        <p className={classes.groupName} id={id}>
          {name}
        </p>
      )}
      {places.map(({ to, label, within }) => {
        const here = within.test(path);
        return (
          <NavigationLink
            key={to}
            to={to}
            label={label}
            active={here}
            aria-current={here ? "page" : undefined}
            className={classes.place}
          />
        );
      })}
    </section>
  );
}
