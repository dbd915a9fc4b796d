import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { useAddress } from "@/components/useAddress";
import { type Labels, listOf, only, readLabels, writeLabels } from "./labels";
import type { Study } from "./useStudies";

const route = getRouteApi("/analysis/domains");

export const CONSTANTS = ["joint", "first", "own"] as const;
export type Constants = (typeof CONSTANTS)[number];

/** The models of two imports, which may need one name for both. */
export function namedModels(studies: readonly Study[], first?: string, second?: string): string[] {
  const imports = studies.filter(({ id, kind }) => kind === "import" && (id === first || id === second));
  return [...new Set(imports.flatMap(({ models }) => models))];
}

/** Which two studies are compared, on which constants, and what their models are called: in the address. */
export function useChoice(studies: readonly Study[]) {
  const { first, second, constants = "joint", labels: text } = route.useSearch();
  const address = useAddress();
  const kindOf = (id: string | undefined) => studies.find((study) => study.id === id)?.kind;
  // The same as long as the address is the same: what rests on them is not made again.
  const labels = useMemo(() => readLabels(text), [text]);
  const put: typeof address = (change) => address({ table: undefined, ...change }, false);
  const choose = (one: string | undefined, other: string | undefined) => {
    const fits = one !== other && (kindOf(one) === undefined || kindOf(one) === kindOf(other));
    const kept = fits ? other : undefined;
    put({ first: one, second: kept, labels: writeLabels(only(labels, namedModels(studies, one, kept))) });
  };
  return {
    first,
    second,
    constants,
    labels,
    /** MODEL=Label, as the server takes them. */
    asked: listOf(labels),
    setFirst: (id: string) => choose(id, second),
    setSecond: (id: string) => choose(first, id),
    setConstants: (value: Constants) => put({ constants: value === "joint" ? undefined : value }),
    setLabels: (value: Labels) => put({ labels: writeLabels(value) }),
  };
}

export type Choice = ReturnType<typeof useChoice>;

/** Whether both studies are named. */
export function isReady(choice: Choice): choice is Choice & { first: string; second: string } {
  return choice.first !== undefined && choice.second !== undefined;
}
