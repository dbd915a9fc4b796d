import { Button, Group, NumberInput } from "@mantine/core";
import type { Figure } from "@/api/types";
import { Quiet } from "@/components/Quiet";
import type { Area } from "@/figures/brush";
import { t } from "@/words";

const STEP = 0.05;
/** Of more questions than this, the figure draws only some. */
const MOST_DRAWN = 2000;

interface Props {
  figure: Figure;
  area: Area;
  onChange: (area: Area) => void;
  onShow: () => void;
}

/** The rectangle over a figure of pairs in numbers, for those who do not draw it, and the way to its questions. */
export function SelectPairs({ figure, area, onChange, onShow }: Props) {
  const rows = figure.series.flatMap((series) => series.rows);
  const within = rows.filter(({ x, y }) => isWithin(x, area.x) && isWithin(y, area.y));
  const count = questionsOf(within);
  const field = (axis: "x" | "y", end: 0 | 1, label: string) => (
    <NumberInput
      size="xs"
      w={180}
      label={label}
      step={STEP}
      decimalScale={4}
      value={area[axis][end]}
      onChange={(value) => {
        const ends: Area["x"] = [...area[axis]];
        ends[end] = Number(value);
        onChange({ ...area, [axis]: ends });
      }}
    />
  );
  return (
    <>
      <Quiet>{t("To select questions, draw a rectangle over the points or enter its ends.")}</Quiet>
      <Group gap="sm" align="flex-end">
        {field("x", 0, t("{axis}: from", { axis: figure.x.label }))}
        {field("x", 1, t("{axis}: to", { axis: figure.x.label }))}
        {field("y", 0, t("{axis}: from", { axis: figure.y.label }))}
        {field("y", 1, t("{axis}: to", { axis: figure.y.label }))}
        <Button size="xs" variant="default" disabled={count === 0} onClick={onShow}>
          {questionsOf(rows) < MOST_DRAWN
            ? t("Show {count, plural, one {# question} other {# questions}} in the table", { count })
            : t("Show selected questions in the table")}
        </Button>
      </Group>
    </>
  );
}

/** How many questions marks stand for. */
function questionsOf(rows: Figure["series"][number]["rows"]): number {
  return rows.reduce((sum, { n }) => sum + (n ?? 1), 0);
}

function isWithin(value: unknown, [low, high]: Area["x"]): boolean {
  return typeof value === "number" && value >= low && value <= high;
}

/** The rectangle around all points, with ends of two decimals. */
export function areaOf(figure: Figure): Area {
  const rows = figure.series.flatMap((series) => series.rows);
  const ends = (axis: "x" | "y"): Area["x"] => {
    const values = rows.map((row) => row[axis]).filter((value) => typeof value === "number");
    return [Math.floor(100 * Math.min(...values)) / 100, Math.ceil(100 * Math.max(...values)) / 100];
  };
  return rows.length > 0 ? { x: ends("x"), y: ends("y") } : { x: [0, 1], y: [0, 1] };
}
