import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  lazyRouteComponent,
  notFound,
  type RouteComponent,
} from "@tanstack/react-router";
import { needed } from "@/api/chunks";
import { MissingPage } from "./ErrorPages";
import { Shell } from "./Shell";
import { text } from "./search";

/** What loaders are given. */
interface Context {
  cache: QueryClient;
}

export const root = createRootRouteWithContext<Context>()({
  // Any page may have figures: these are read as tables, and those have another horizontal axis than at first.
  validateSearch: (search) => text(search, "tables", "axes"),
  component: Shell,
  notFoundComponent: MissingPage,
});

/** A page whose code and style sheets are loaded when it is first visited. */
export function page<Name extends string>(importer: () => Promise<Record<Name, RouteComponent>>, name: Name) {
  const both = async () => (await Promise.all([importer(), import("./formStyles")]))[0];
  return lazyRouteComponent(needed(both), name);
}

/** Rows and questions count from 1; what is no such number names no page. */
export function expectPlace(number: string): void {
  if (!/^[1-9]\d*$/.test(number)) throw notFound();
}
