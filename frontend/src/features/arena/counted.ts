import type { QueryOf } from "@/api/freshness";

/** Which games of a tournament count, how ratings are computed, and with which tournament it is compared. */
export type Counted = Omit<QueryOf<"/api/v1/tournaments/{tournament_id}/ratings">, "without"> & {
  without: string[];
  against?: string;
};

export type Change = { [Key in keyof Counted]?: Counted[Key] | undefined };

/** What the address says; what does not fit is read as nothing, so that an old link still opens its page. */
export function countedOf(raw: unknown): Counted {
  const given = (typeof raw === "object" && raw !== null ? raw : {}) as Record<string, unknown>;
  const { without, against } = given;
  const dropped = (name: "inconsistent" | "same_answer") =>
    given[name] === "drop" ? { [name]: "drop" } : {};
  const whole = (name: "seed" | "tournaments") =>
    Number.isInteger(given[name]) ? { [name]: given[name] } : {};
  return {
    ...dropped("inconsistent"),
    ...dropped("same_answer"),
    ...whole("seed"),
    ...whole("tournaments"),
    without: Array.isArray(without) ? without.filter((each) => typeof each === "string") : [],
    ...(typeof against === "string" ? { against } : {}),
  };
}

/** As the address keeps it; nothing where everything is as usual. */
export function kept(chosen: Change): object | undefined {
  const set = Object.entries(chosen).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}
