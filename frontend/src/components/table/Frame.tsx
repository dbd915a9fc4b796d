import clsx from "clsx";
import { type ReactNode, useCallback, useLayoutEffect, useState } from "react";
import classes from "./Table.module.css";

interface Props {
  frame: HTMLDivElement | null;
  onFrame: (frame: HTMLDivElement | null) => void;
  /** Name of the table for those who do not see it. */
  label: string;
  /** How many rows there are, where not all of them are drawn. */
  rows: number | undefined;
  /** It is as high as its rows, however narrow it becomes. */
  isWhole: boolean;
  children: ReactNode;
}

/** The table within its own scrolled frame; a shadow marks an edge behind which there is more. */
export function Frame({ frame, onFrame, label, rows, isWhole, children }: Props) {
  const { edges, look } = useEdges(frame);
  return (
    <Edged edges={edges}>
      <div
        ref={onFrame}
        className={clsx(classes.frame, isWhole && classes.whole, edges.isBefore && classes.before)}
        onScroll={look}
        {...(edges.isScrolled ? { tabIndex: 0, role: "group", "aria-label": label } : {})}
      >
        <table
          className={classes.table}
          aria-label={label}
          aria-rowcount={rows === undefined ? undefined : rows + 1}
        >
          {children}
        </table>
      </div>
    </Edged>
  );
}

/** Around what is scrolled: the shadow at the edge behind which there is more. */
export function Edged({ edges, children }: { edges: { isAfter: boolean }; children: ReactNode }) {
  return <div className={clsx(classes.outer, edges.isAfter && classes.after)}>{children}</div>;
}

const WITHIN = { isBefore: false, isAfter: false, isScrolled: false };

/** Whether there is more before or behind what is seen, and whether anything is to be scrolled at all. */
export function useEdges(frame: HTMLElement | null) {
  const [edges, setEdges] = useState(WITHIN);
  const look = useCallback(() => {
    if (!frame) return;
    const hidden = frame.scrollWidth - frame.clientWidth;
    const next = {
      isBefore: frame.scrollLeft > 1,
      isAfter: frame.scrollLeft < hidden - 1,
      isScrolled: hidden > 1 || frame.scrollHeight - frame.clientHeight > 1,
    };
    setEdges((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
  }, [frame]);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (frame) observer.observe(frame);
    if (frame?.firstElementChild) observer.observe(frame.firstElementChild);
    return () => observer.disconnect();
  }, [frame, look]);
  return { edges, look };
}
