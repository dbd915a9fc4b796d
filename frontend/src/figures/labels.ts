/** Where the name of a point stands, seen from the point. */
const SIDES = [
  { dx: 8, dy: -9, textAnchor: "start" },
  { dx: -8, dy: -9, textAnchor: "end" },
  { dx: 8, dy: 11, textAnchor: "start" },
  { dx: -8, dy: 11, textAnchor: "end" },
] as const;
type Side = (typeof SIDES)[number];

const LETTER_PX = 7;
const LINE_PX = 14;
const POINT_PX = 6;

/** A point of a drawing, in pixels from its upper left corner. */
interface Spot {
  x: number;
  y: number;
  /** Its name is written also where it covers something. */
  isNeeded?: boolean;
}
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const meet = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const around = ({ x, y }: Spot): Box => ({
  left: x - POINT_PX,
  right: x + POINT_PX,
  top: y - POINT_PX,
  bottom: y + POINT_PX,
});

function boxOf({ x, y }: Spot, name: string, { dx, dy, textAnchor }: Side): Box {
  const length = name.length * LETTER_PX;
  const left = textAnchor === "start" ? x + dx : x + dx - length;
  return { left, right: left + length, top: y + dy - LINE_PX / 2, bottom: y + dy + LINE_PX / 2 };
}

/**
 * Sides on which names cover neither one another nor a point, nor leave the width; null where there is no room.
 * Later names have the first choice, and needed ones are never left out. `others` are points without a name.
 */
export function sidesOf(
  named: readonly (Spot & { name: string })[],
  others: readonly Spot[],
  width: number,
): (Side | null)[] {
  const taken = [...named, ...others].map(around);
  const found = named.map((): Side | null => null);
  for (const [place, spot] of [...named.entries()].reverse()) {
    const fitting = SIDES.filter((each) => {
      const box = boxOf(spot, spot.name, each);
      return box.left >= 0 && box.right <= width;
    });
    const free = fitting.find((each) => {
      const box = boxOf(spot, spot.name, each);
      return !taken.some((other) => meet(box, other));
    });
    const side = free ?? (spot.isNeeded ? (fitting[0] ?? SIDES[0]) : undefined);
    if (!side) continue;
    found[place] = side;
    taken.push(boxOf(spot, spot.name, side));
  }
  return found;
}

/** The names of each side, with how they are written there. */
export function bySide<T>(rows: readonly T[], sides: readonly (Side | null)[]): { side: Side; rows: T[] }[] {
  return SIDES.map((side) => ({ side, rows: rows.filter((_, place) => sides[place] === side) }));
}
