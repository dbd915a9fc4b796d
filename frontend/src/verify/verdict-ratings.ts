/** Ratings of people: what they and the draw that chose the answers can be (docs/bundle.md, "Ratings of people"). */
import type { Violation } from "./steps";
import type { Judged } from "./verdict-form";

const FEWEST = 20;
const MOST_UNRATED = 0.1;
const ROUNDING = 1e-9;
const PATH = "judged.ratings";

export type Ratings = NonNullable<Judged["ratings"]>;

const sumOf = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** The first rating, or part of the draw, that cannot be. */
export function ratingsWrong(judged: Judged): Violation | null {
  const { ratings } = judged;
  if (!ratings) return null;
  return drawWrong(ratings, judged.questions?.length ?? 0) ?? runsWrong(judged, ratings) ?? unrated(ratings);
}

function at(field: string): Violation {
  return { why: "verdict_misfit", field: `${PATH}.${field}` };
}

function drawWrong({ drawn, others }: Ratings, size: number): Violation | null {
  for (const [name, part] of Object.entries({ drawn, others })) {
    const isOrdered = part.every(
      ({ question }, place) => question < size && question > (part[place - 1]?.question ?? -1),
    );
    if (!isOrdered) return at(name);
  }
  const chosen = new Set(drawn.map(({ question }) => question));
  if (others.some(({ question }) => chosen.has(question))) return at("others");
  const impossible = drawn.findIndex(({ inclusion }) => inclusion <= 0);
  if (impossible >= 0) return at(`drawn[${impossible}].inclusion`);
  const certain = others.findIndex(({ inclusion }) => inclusion >= 1);
  if (certain >= 0) return at(`others[${certain}].inclusion`);
  // Each stratum of the draw has a fixed number, so that the probabilities of all add up to what was drawn.
  const expected = sumOf([...drawn, ...others].map(({ inclusion }) => inclusion));
  return Math.abs(expected - drawn.length) <= ROUNDING * Math.max(expected, drawn.length)
    ? null
    : at("drawn");
}

function runsWrong(judged: Judged, { drawn, runs }: Ratings): Violation | null {
  const isOther = ({ id }: { id: string }, place: number) => id !== judged.runs[place]?.id;
  if (runs.length !== judged.runs.length || runs.some(isOther)) return at("runs");
  const chosen = new Set(drawn.map(({ question }) => question));
  let known = 0;
  for (const [place, { ratings }] of runs.entries()) {
    for (const [number, { question, rater }] of ratings.entries()) {
      const name = `runs[${place}].ratings[${number}]`;
      const isFailed = judged.runs[place]?.marks[question]?.reason === "generation_failed";
      if (!chosen.has(question) || isFailed) return at(`${name}.question`);
      if (!isAfter({ question, rater }, ratings[number - 1]) || rater > known) return at(`${name}.rater`);
      known = Math.max(known, rater + 1);
    }
  }
  return null;
}

interface Place {
  question: number;
  rater: number;
}

function isAfter(one: Place, last: Place | undefined): boolean {
  if (!last) return true;
  return one.question > last.question || (one.question === last.question && one.rater > last.rater);
}

/** With too few ratings no draw corrects anything. */
function unrated({ drawn, runs }: Ratings): Violation | null {
  const rated = runs.map(({ ratings }) => new Set(ratings.map(({ question }) => question)).size);
  const few = rated.findIndex((count) => count < FEWEST);
  if (few >= 0) return at(`runs[${few}].ratings`);
  return sumOf(rated) < (1 - MOST_UNRATED) * drawn.length * runs.length ? at("runs") : null;
}
