import { Anchor, Group, NativeSelect, SegmentedControl, Stack, useComputedColorScheme } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useId, useRef } from "react";
import { needed } from "@/api/chunks";
import type { Figure } from "@/api/types";
import { bindText } from "@/components/fields";
import { Panel } from "@/components/Panel";
import { useOnPaper, usePrinting } from "@/components/printing";
import { Quiet } from "@/components/Quiet";
import { goalOfMark, type QuestionSource } from "@/components/results/questionSources";
import { type Column, DataTable, plainColumn } from "@/components/table";
import { csvOfRows } from "@/components/table/csv";
import { Waiting } from "@/components/Waiting";
import { t } from "@/words";
import type { Area } from "./brush";
import classes from "./FigureView.module.css";
import { type Key, keysOf, PALE } from "./keys";
import { DAY, type Look, NIGHT } from "./look";
import { cellOf, decimals, describe, heading, type Named, namedRows, plainOf } from "./rows";
import { savePng, saveSvg, saveText } from "./save";

/** Observable Plot comes with the first figure that is drawn, not with the page. */
const Drawing = lazy(needed(() => import("./Drawing")));
const HEIGHT = 320;
const NARROWEST = 300;
const PAPER_PX = 860;

interface Props {
  figure: Figure;
  /** The same by other measures along its horizontal axis, to choose from. */
  others?: readonly Figure[];
  /** Configurations whose questions the marks, and the rows of the table, lead to. */
  sources?: readonly QuestionSource[] | undefined;
  /** Called with the rectangle that is drawn over a figure with two axes of numbers; it does not change. */
  onSelect?: (area: Area) => void;
  /** Level of its heading. */
  level?: 2 | 4;
}

const NOTHING: readonly QuestionSource[] = [];

function csvOf(figure: Figure): string {
  const rows = namedRows(figure);
  return csvOfRows(columnsOf(figure, rows), rows);
}

/** A figure with its notes: seen or read as a table, and saved as SVG, PNG or CSV. */
export function FigureView({ figure: main, others = [], sources = NOTHING, onSelect, level = 2 }: Props) {
  const [axes, setAxis] = useInAddress("axes");
  const figure = others.find(({ id }) => axes.includes(id)) ?? main;
  const choose = (id: string) =>
    setAxis(
      others.map((other) => other.id),
      id === main.id ? undefined : id,
    );
  const [tables, setTable] = useInAddress("tables");
  const shown = tables.includes(main.id) ? "table" : "figure";
  const { ref, width } = useWidth();
  const about = useId();
  const scheme = useComputedColorScheme("light");
  const isOnPaper = usePrinting();
  const look = scheme === "dark" && !isOnPaper ? NIGHT : DAY;
  const saves = {
    SVG: () => saveSvg(figure, PAPER_PX),
    PNG: () => savePng(figure, PAPER_PX),
    CSV: () => saveText(csvOf(figure), `${figure.id}.csv`, "text/csv"),
  };
  return (
    <Panel
      title={figure.title}
      level={level}
      beside={
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label={t("View of {title}", { title: figure.title })}
            value={shown}
            onChange={(value) => setTable([main.id], value === "table" ? main.id : undefined)}
            data={[
              { value: "figure", label: t("Figure") },
              { value: "table", label: t("Table") },
            ]}
          />
          <Group gap={8}>
            {Object.entries(saves).map(([format, save]) => (
              <Anchor
                key={format}
                component="button"
                type="button"
                size="sm"
                aria-label={t("Save {title} as {format}", { title: figure.title, format })}
                onClick={save}
              >
                {format}
              </Anchor>
            ))}
          </Group>
        </Group>
      }
    >
      <Stack gap="sm" ref={ref}>
        {others.length > 0 && (
          <NativeSelect
            label={t("Horizontal axis")}
            w="fit-content"
            {...bindText(figure.id, choose)}
            data={[main, ...others].map(({ id, x }) => ({ value: id, label: x?.label ?? id }))}
          />
        )}
        {shown === "table" ? (
          <FigureTable figure={figure} sources={sources} />
        ) : (
          <>
            <Legend figure={figure} look={look} />
            <div className={classes.frame} role="img" aria-label={figure.title} aria-describedby={about}>
              {width > 0 && (
                <Suspense fallback={<Waiting height={HEIGHT} />}>
                  <Drawing
                    figure={figure}
                    look={look}
                    width={Math.max(NARROWEST, width)}
                    sources={sources}
                    onSelect={onSelect}
                  />
                </Suspense>
              )}
            </div>
            <p id={about} className={classes.about}>
              {describe(figure)}
            </p>
          </>
        )}
        {figure.notes.length > 0 && <Quiet>{figure.notes.join(" ")}</Quiet>}
      </Stack>
    </Panel>
  );
}

/** The width of its place; where that is folded on the screen, its width on paper. */
function useWidth() {
  const { ref, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const onPaper = useOnPaper(useCallback(() => place.current?.clientWidth ?? 0, []));
  return { ref: useMergedRef(ref, place), width: width || (onPaper ?? 0) };
}

/** Ids of figures that the address names: those read as a table, or those with another horizontal axis than at first. */
function useInAddress(name: "tables" | "axes") {
  const search: { [of in typeof name]?: string | undefined } = useSearch({ strict: false });
  const navigate = useNavigate();
  const named = search[name]?.split(" ") ?? [];
  const replace = (old: readonly string[], id: string | undefined) => {
    const next = [...named.filter((other) => !old.includes(other)), ...(id === undefined ? [] : [id])];
    void navigate({
      to: ".",
      search: (before: object) => ({ ...before, [name]: next.join(" ") || undefined }),
      hash: true,
      replace: true,
      resetScroll: false,
    });
  };
  return [named, replace] as const;
}

interface FigureTableProps {
  figure: Figure;
  sources: readonly QuestionSource[];
}

/** The figure's values as a table; a row leads where its mark does. */
function FigureTable({ figure, sources }: FigureTableProps) {
  const rows = namedRows(figure);
  return (
    <DataTable
      name={`figure-${figure.id}`}
      label={figure.title}
      columns={columnsOf(figure, rows, sources)}
      rows={rows}
      keyOf={(row) => `${row.series} ${row.isBaseline ? "" : row.x} ${row.y} ${row.label}`}
      isShort
    />
  );
}

/** The columns of a figure as a table and as a CSV file, where nothing is rounded. */
export function columnsOf(
  { columns }: Figure,
  rows: Named[],
  sources: readonly QuestionSource[] = [],
): Column<Named>[] {
  const digits = decimals(rows.flatMap(({ y, value }) => [y, value]));
  return [
    plainColumn("series", t("Series"), ({ series }) => series, { goal: (row) => goalOfMark(row, sources) }),
    ...columns.map(
      (column): Column<Named> =>
        plainColumn(column.field, heading(column), (row) => plainOf(row, column.field), {
          kind: "number",
          cell: (row) => cellOf(row, column.field, digits),
        }),
    ),
  ];
}

const SIZE = 14;

/** What colours and shapes stand for; a single series needs none. */
function Legend({ figure, look }: { figure: Figure; look: Look }) {
  const keys = keysOf(figure, look);
  if (keys.length === 0) return null;
  return (
    <ul className={classes.legend} aria-label={t("Legend")}>
      {keys.map((key) => (
        <li key={key.name}>
          <svg width={SIZE} height={SIZE} viewBox="-7 -7 14 14" aria-hidden="true">
            <Shape of={key} />
          </svg>
          {key.name}
        </li>
      ))}
    </ul>
  );
}

function Shape({ of: { path, colour, isDashed, isOutline, isPale } }: { of: Key }) {
  if (isDashed) return <path d={path} stroke={colour} strokeWidth={2} strokeDasharray="4 3" />;
  if (isOutline) return <path d={path} stroke={colour} strokeWidth={1.6} fill="none" />;
  return <path d={path} fill={colour} fillOpacity={isPale ? 2 * PALE : 1} />;
}
