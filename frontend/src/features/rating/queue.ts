/** A place in a rater's order, of an answer or of a pair of answers. */
export interface QueuePlace {
  id: string;
  is_rated: boolean;
  availability: "free" | "reserved" | "complete";
}

/** How far a rater is who is at `place`: answers that others have rated often enough are not the rater's work. */
export function progressOf(places: readonly QueuePlace[], place: number) {
  const own = places.filter(({ is_rated, availability }) => is_rated || availability !== "complete");
  return {
    total: own.length,
    rated: own.filter(({ is_rated }) => is_rated).length,
    skipped: places.slice(0, place).filter(isFree).length,
  };
}

/** What is left at the end of the list: places to go back to, and those that another rater has open. */
export function leftOf(places: readonly QueuePlace[]) {
  return {
    free: places.filter(isFree).length,
    reserved: places.filter(({ is_rated, availability }) => !is_rated && availability === "reserved").length,
  };
}

function isFree({ is_rated, availability }: QueuePlace): boolean {
  return !is_rated && availability === "free";
}
