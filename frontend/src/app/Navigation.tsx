import { useRouterState } from "@tanstack/react-router";
import { NavigationLink } from "@/components/links";
import { words } from "@/words";
import classes from "./Shell.module.css";

const PLACES = [
  { to: "/collections", label: words.shell.collections, within: /^\/collections/ },
  { to: "/datasets", label: words.shell.datasets, within: /^\/datasets/ },
  { to: "/", label: words.shell.sweeps, within: /^\/($|sweeps|runs)/ },
  { to: "/new", label: words.shell.newSweep, within: /^\/new/ },
  { to: "/settings", label: words.shell.settings, within: /^\/(settings|metrics)/ },
] as const;

export function Navigation() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <nav aria-label={words.shell.navigation}>
      {PLACES.map(({ to, label, within }) => {
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
    </nav>
  );
}
