import { usual } from "@/api/defaults";
import { formatScore } from "@/components/numbers/format";
import { type Column, DataTable, textColumn } from "@/components/table";
import { t } from "@/words";
import { RATINGS } from "./ratings";

const LIMITS = usual.rating_limits;
type Rating = keyof typeof RATINGS;
interface Row {
  rating: Rating;
}
const ROWS = (Object.keys(RATINGS) as Rating[]).map((rating): Row => ({ rating }));
/** The largest value of each rated figure. */
const LARGEST = { distance: 2, P: 1, R: 1 };

/** What each rating means: the limits that the server computes it by. */
export function RatingLimits() {
  return (
    <details>
      <summary>{t("Limits of the ratings")}</summary>
      <DataTable
        name="rating-limits"
        at="ratings"
        label={t("Limits of the ratings")}
        columns={COLUMNS}
        rows={ROWS}
        keyOf={({ rating }) => rating}
        isShort
      />
    </details>
  );
}

const COLUMNS: Column<Row>[] = [
  textColumn("rating", t("Rating in words"), ({ rating }) => RATINGS[rating]),
  textColumn("distance", t("Mean distance"), rangeOf("distance")),
  textColumn("P", "P@K", rangeOf("P")),
  textColumn("R", "R@K", rangeOf("R")),
];

function rangeOf(rated: keyof typeof LARGEST): (row: Row) => string | null {
  return ({ rating }) => {
    const [low, high] = LIMITS?.[rated]?.[rating] ?? [];
    if (low === undefined || high === undefined) return null;
    const ends = { low: formatScore(low, 1), high: formatScore(high, 1) };
    if (high > LARGEST[rated]) return t("{low} or more", ends);
    return low === 0 ? t("below {high}", ends) : t("{low} to below {high}", ends);
  };
}
