/**
 * Readers of the address: what does not fit is read as nothing, so that an old link still opens its page.
 * The key is always there, because the router keeps the raw value of a key that a reader leaves out.
 */

type Search = Record<string, unknown>;
type Read<Name extends string, Value> = { [key in Name]?: Value | undefined };

/** A text under each of the `names`, if there is one. */
export function text<Name extends string>(search: Search, ...names: Name[]): Read<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Read<Name, string>;
}

function textOf(value: unknown): string | undefined {
  // The router reads digits as a number; an id may be all digits.
  const found = typeof value === "number" ? String(value) : value;
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** A whole number from 0 under `name`, if there is one. */
export function place<Name extends string>(search: Search, name: Name): Read<Name, number> {
  const value = Number(search[name] ?? Number.NaN);
  return read(name, Number.isInteger(value) && value >= 0 ? value : undefined);
}

/** A number under `name`, if there is one. */
export function amount<Name extends string>(search: Search, name: Name): Read<Name, number> {
  const value = search[name];
  return read(name, typeof value === "number" && Number.isFinite(value) ? value : undefined);
}

/** What stands under `name`, if it has parts; its page reads them. */
export function parts<Name extends string>(search: Search, name: Name): Read<Name, object> {
  const value = search[name];
  return read(name, value instanceof Object ? value : undefined);
}

/** One of `values` under `name`, if it is one of them. */
export function choice<Name extends string, const Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): Read<Name, Value> {
  return read(
    name,
    values.find((known) => known === search[name]),
  );
}

/** How a table is looked at: its sort, its search and its page. */
export function table(search: Search) {
  return { ...text(search, "sort", "find"), ...place(search, "page") };
}

/** Which view of a sweep is open, which of its questions are shown in which order, and how grounding is measured. */
export function matrix(search: Search) {
  return {
    ...choice(search, "view", ["questions", "judged"]),
    ...text(search, "assessment"),
    ...choice(search, "order", ["number", "lost", "rise", "fall"]),
    ...choice(search, "shade", ["score"]),
    ...text(search, "metric", "of", "only", "find", "baseline", "area"),
    ...parts(search, "grounding"),
  };
}

/** What of a question is shown. */
export function view(search: Search) {
  return {
    ...choice(search, "rest", ["shown"]),
    ...choice(search, "marks", ["off", "on"]),
    ...amount(search, "cut"),
  };
}

function read<Name extends string, Value>(name: Name, value: Value | undefined): Read<Name, Value> {
  return { [name]: value } as Read<Name, Value>;
}
