import { type RegisteredRouter, useNavigate, type useSearch } from "@tanstack/react-router";

/** What the address of any page may hold. */
type Search = ReturnType<typeof useSearch<RegisteredRouter, undefined, false>>;

/**
 * Changes members of the address, which leaves the page where it is scrolled to; undefined removes a member.
 *
 * The back button undoes a change only where `replace` is false.
 */
export function useAddress() {
  const navigate = useNavigate();
  return (change: { [Name in keyof Search]?: Search[Name] | undefined }, replace = true) =>
    navigate({
      to: ".",
      search: (before: object) => ({ ...before, ...change }),
      replace,
      resetScroll: false,
    });
}
