/** Readers of the address: what does not fit is left out, so that an old link still opens its page. */

type Search = Record<string, unknown>;

/** A text under `name`, if there is one. */
export function text<Name extends string>(search: Search, name: Name): { [key in Name]?: string } {
  const value = search[name];
  if (typeof value === "number") return { [name]: String(value) } as { [key in Name]?: string };
  return typeof value === "string" && value !== "" ? ({ [name]: value } as { [key in Name]?: string }) : {};
}

/** A whole number from 0 under `name`, if there is one. */
export function place<Name extends string>(search: Search, name: Name): { [key in Name]?: number } {
  const value = Number(search[name] ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 ? ({ [name]: value } as { [key in Name]?: number }) : {};
}

/** One of `values` under `name`, if it is one of them. */
export function choice<Name extends string, Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [key in Name]?: Value } {
  const value = values.find((known) => known === search[name]);
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]?: Value });
}
