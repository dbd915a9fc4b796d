/** Forms of JSON values: each says what is the first thing that does not fit, and where. */

export interface Misfit {
  why: "missing" | "unknown_member" | "not_of_form";
  path: string;
}
export type Form = (value: unknown, path: string) => Misfit | null;

/** Beyond it a number is written with an exponent, so it is no integer in JSON. */
const LARGEST_INTEGER = 1e21;

function when(fits: (value: unknown) => boolean): Form {
  return (value, path) => (fits(value) ? null : { why: "not_of_form", path });
}

function inner(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(pattern?: RegExp): Form {
  return when((value) => typeof value === "string" && (pattern?.test(value) ?? true));
}

export function integer(least = -Infinity, most = Infinity): Form {
  return when(
    (value) =>
      Number.isInteger(value) &&
      Math.abs(value as number) < LARGEST_INTEGER &&
      (value as number) >= least &&
      (value as number) <= most,
  );
}

export const real: Form = when((value) => typeof value === "number");
export const boolean: Form = when((value) => typeof value === "boolean");
export const anything: Form = () => null;

export function oneOf(...values: string[]): Form {
  return when((value) => typeof value === "string" && values.includes(value));
}

export function orNull(form: Form): Form {
  return (value, path) => (value === null ? null : form(value, path));
}

/** That form, or this very text. */
export function or(literal: string, form: Form): Form {
  return (value, path) => (value === literal ? null : form(value, path));
}

export function list(form: Form, least = 0, most = Infinity): Form {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      return { why: "not_of_form", path };
    }
    for (const [place, item] of value.entries()) {
      const misfit = form(item, `${path}[${place}]`);
      if (misfit) return misfit;
    }
    return null;
  };
}

/** An object whose members all have one form, under any names. */
export function map(form: Form): Form {
  return (value, path) => {
    if (!isObject(value)) return { why: "not_of_form", path };
    for (const [name, item] of Object.entries(value)) {
      const misfit = form(item, inner(path, name));
      if (misfit) return misfit;
    }
    return null;
  };
}

/** An object with these members and no other. */
export function object(members: Record<string, Form>): Form {
  return (value, path) => {
    if (!isObject(value)) return { why: "not_of_form", path };
    for (const [name, form] of Object.entries(members)) {
      if (!Object.hasOwn(value, name)) return { why: "missing", path: inner(path, name) };
      const misfit = form(value[name], inner(path, name));
      if (misfit) return misfit;
    }
    const other = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    return other === undefined ? null : { why: "unknown_member", path: inner(path, other) };
  };
}

/** What has that form, and more that the form cannot say. */
export function which<T>(form: Form, holds: (value: T) => boolean): Form {
  return (value, path) =>
    form(value, path) ?? (holds(value as T) ? null : { why: "not_of_form" as const, path });
}
