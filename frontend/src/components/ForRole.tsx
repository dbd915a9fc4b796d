import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { PROJECT_PATH } from "@/api/project";
import { accountQueries } from "@/api/session";
import type { Role } from "@/words/roles";

const RANKS: Record<Role, number> = { viewer: 0, researcher: 1, admin: 2 };

/** Pages that only change something or ask a model: viewers can do nothing there. */
const OF_RESEARCHERS = /^\/(new|chat|retrieval|drafts\/[^/]+\/review)$/;

/**
 * Whether the reader has at least this role in the project. Everything is allowed where nobody signs in, and until the
 * session is known: one person on one machine would otherwise see the buttons come after the page.
 */
export function useMay(needed: Role = "researcher"): boolean {
  // The gate around all pages asks for the session; a part of a page only reads it.
  const { data } = useQuery({ ...accountQueries.session(), enabled: false });
  if (!data?.account) return true;
  return data.role != null && RANKS[data.role] >= RANKS[needed];
}

/** Whether the reader has an account that may use no project. */
export function useIsOutside(): boolean {
  const { data } = useQuery({ ...accountQueries.session(), enabled: false });
  return data?.account != null && data.role == null && (data.projects ?? []).length === 0;
}

/** Returns a function that says whether the reader can use the page at an address. */
export function useMayOpen(): (address: string | undefined) => boolean {
  const isResearcher = useMay();
  const isOutside = useIsOutside();
  return (address = "") => {
    const [path = ""] = address
      .slice(address.startsWith(PROJECT_PATH) ? PROJECT_PATH.length : 0)
      .split(/[?#]/);
    if (isOutside) return path === "/account";
    return isResearcher || !OF_RESEARCHERS.test(path);
  };
}

/** Shows what only some roles can use: the server would refuse it to the others. */
export function ForRole({ least = "researcher", children }: { least?: Role; children: ReactNode }) {
  return useMay(least) && children;
}

/** Wraps a part of a page that lower roles cannot use at all, so that they do not see it. */
export function forRole<Props extends object>(role: Role, Part: ComponentType<Props>) {
  return function OfRole(props: Props) {
    return useMay(role) && <Part {...props} />;
  };
}
