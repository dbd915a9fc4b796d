import { useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { MatrixColumn, MatrixRow, SweepAnalysis } from "@/api/types";
import { SmallLink } from "@/components/links";
import { formatScore, NONE } from "@/components/numbers/format";
import { usePrinting } from "@/components/printing";
import { Edged, useEdges } from "@/components/table/Frame";
import { t } from "@/words";
import type { MatrixDisplay } from "./DisplayMenu";
import classes from "./Matrix.module.css";
import { MatrixHead } from "./MatrixHead";
import { colourOf, labelOf, type Scale, textOf } from "./matrixCell";
import type { MatrixView } from "./useMatrix";

const ROW_PX = 44;
const OVERSCAN = 12;
/** Columns before those of the configurations: question, lost, spread. */
const BEFORE = 3;
/** Rows that a page key goes on. */
const LEAP = 10;
const STEPS: Record<string, readonly [number, number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [LEAP, 0],
  PageUp: [-LEAP, 0],
};

interface Props {
  view: MatrixView;
  analysis: SweepAnalysis;
  columns: MatrixColumn[];
  total: number;
  /** Those that are loaded, by their places. */
  rows: ReadonlyMap<number, MatrixRow>;
  scale: Scale;
  display: MatrixDisplay;
  /** Called with the first and the last place in view. */
  onSeen: (seen: readonly [number, number]) => void;
}

/** The rows in view; arrow keys move a ring from cell to cell, Enter opens one, b makes its column the baseline. */
export function MatrixGrid({ view, analysis, columns, total, rows, scale, display, onSeen }: Props) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const { edges, look } = useEdges(frame);
  const name = useId();
  const [ring, setRing] = useState<readonly [number, number]>([0, 0]);
  const isPrinting = usePrinting();
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => frame,
    estimateSize: () => ROW_PX,
    overscan: isPrinting ? total : OVERSCAN,
  });
  const drawn = virtual.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  useEffect(() => onSeen([first, last]), [onSeen, first, last]);
  const navigate = useNavigate();
  const idOf = (row: number, column: number) => `${name}-${row}-${column}`;
  const goTo = (row: number, column: number) => {
    const next = [clamped(row, total), clamped(column, columns.length)] as const;
    setRing(next);
    if (next[0] < first || next[0] > last) virtual.scrollToIndex(next[0]);
    requestAnimationFrame(() =>
      document.getElementById(idOf(...next))?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = after(event.key, ring, columns.length);
    const column = columns[ring[1]];
    const row = rows.get(ring[0]);
    if (next) goTo(...next);
    else if (event.key === "Enter" && column && row) void navigate(questionOf(column, row));
    else if (event.key === "b" && column) void view.change({ baseline: column.run_id });
    else return;
    event.preventDefault();
  };
  const wide = { "--columns": columns.length } as object;
  return (
    <Edged edges={edges}>
      <div
        ref={setFrame}
        onScroll={look}
        className={classes.frame}
        tabIndex={0}
        role="grid"
        aria-label={t("Questions and configurations")}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + BEFORE}
        aria-activedescendant={rows.has(ring[0]) ? idOf(...ring) : undefined}
        onKeyDown={onKeyDown}
        data-narrow={display.isNarrow || undefined}
        data-colours={display.isColours || undefined}
        style={wide}
      >
        <MatrixHead columns={columns} analysis={analysis} view={view} scale={scale} />
        <div
          role="rowgroup"
          className={classes.body}
          style={{ "--height": `${virtual.getTotalSize()}px` } as object}
        >
          {drawn.map(({ index, start }) => (
            <Line
              key={index}
              place={index}
              top={start}
              row={rows.get(index)}
              columns={columns}
              scale={scale}
              ring={ring[0] === index ? ring[1] : null}
              idOf={idOf}
              isColours={display.isColours}
            />
          ))}
        </div>
      </div>
    </Edged>
  );
}

/** Where a key moves the ring; null for other keys. */
function after(key: string, [row, column]: readonly [number, number], columns: number) {
  if (key === "Home" || key === "End") return [row, key === "Home" ? 0 : columns] as const;
  const step = STEPS[key];
  return step ? ([row + step[0], column + step[1]] as const) : null;
}

function clamped(place: number, count: number): number {
  return Math.max(0, Math.min(count - 1, place));
}

function questionOf({ run_id }: MatrixColumn, { number }: MatrixRow) {
  return { to: "/runs/$id/questions/$number", params: { id: run_id, number: String(number + 1) } } as const;
}

interface LineProps {
  place: number;
  top: number;
  row: MatrixRow | undefined;
  columns: MatrixColumn[];
  scale: Scale;
  /** The column with the ring, if this row has it. */
  ring: number | null;
  idOf: (row: number, column: number) => string;
  /** Without the numbers; marks of what happened instead of a score stay. */
  isColours: boolean;
}

function Line({ place, top, row, columns, scale, ring, idOf, isColours }: LineProps) {
  const navigate = useNavigate();
  const base = columns[0];
  return (
    <div role="row" aria-rowindex={place + 2} className={classes.row} style={{ top }}>
      {row && base ? (
        <>
          <div role="rowheader" className={classes.question}>
            <SmallLink
              {...questionOf(base, row)}
              tabIndex={-1}
              c="inherit"
              lineClamp={2}
              title={row.question}
            >
              {row.question}
            </SmallLink>
          </div>
          <div role="gridcell" className={classes.fact}>
            {row.n_lost || NONE}
          </div>
          <div role="gridcell" className={classes.fact}>
            {row.spread == null ? NONE : formatScore(row.spread, scale.range ? 2 : 1)}
          </div>
          {row.cells.map((cell, at) => {
            const column = columns[at];
            if (!column) return null;
            const label = labelOf(cell, column, scale);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus, and Enter opens the cell with the ring
              <div
                key={column.run_id}
                id={idOf(place, at)}
                role="gridcell"
                aria-label={label}
                title={label}
                className={classes.cell}
                data-state={cell.state}
                data-lost={cell.gold_lost || undefined}
                data-base={column.baseline === null || undefined}
                data-ring={ring === at || undefined}
                data-kept={cell.kept}
                data-same={(scale.shade === "gain" && cell.gain === 0) || undefined}
                style={{ background: colourOf(cell, scale) }}
                onClick={() => navigate(questionOf(column, row))}
              >
                {(!isColours || cell.state !== "scored") && textOf(cell, column, scale)}
              </div>
            );
          })}
        </>
      ) : (
        <div role="gridcell" aria-busy="true" className={classes.waiting} />
      )}
    </div>
  );
}
