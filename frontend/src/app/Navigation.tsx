import { useRouterState } from "@tanstack/react-router";
import { NavigationLink } from "@/components/links";
import { words } from "@/words";
import classes from "./Shell.module.css";

const PLACES = [
  { to: "/collections", label: words.shell.collections, within: /^\/collections/ },
  { to: "/datasets", label: words.shell.datasets, within: /^\/datasets/ },
  { to: "/new", label: words.shell.newSweep, within: /^\/new/ },
  { to: "/", label: words.shell.sweeps, within: /^\/($|sweeps)/ },
  { to: "/runs", label: words.shell.runs, within: /^\/runs/ },
  { to: "/compare", label: words.shell.compare, within: /^\/compare/ },
  { to: "/analysis", label: words.shell.analysis, within: /^\/analysis/ },
  { to: "/audit", label: words.shell.audit, within: /^\/audit/ },
  { to: "/chat", label: words.shell.chat, within: /^\/chat/ },
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
