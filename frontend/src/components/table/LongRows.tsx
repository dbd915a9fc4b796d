import { useVirtualizer } from "@tanstack/react-virtual";
import { usePrinting } from "@/components/printing";
import classes from "./Table.module.css";
import type { BodyProps } from "./TableBody";
import { TableLine } from "./TableLine";

const ROW_PX = 34;
const OVERSCAN = 12;

/** The rows in view and a few around them, in print all, between the room of those that are not drawn. */
export default function LongRows({ lines, frame, ...of }: BodyProps<object>) {
  const isPrinting = usePrinting();
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame,
    estimateSize: () => ROW_PX,
    getItemKey: (place) => lines[place]?.id ?? place,
    overscan: isPrinting ? lines.length : OVERSCAN,
  });
  const drawn = virtual.getVirtualItems();
  return (
    <>
      <Space height={drawn[0]?.start ?? 0} columns={of.columns.length} />
      {drawn.map(({ index, key }) => {
        const line = lines[index];
        return (
          line && <TableLine key={key} line={line} place={index} measure={virtual.measureElement} {...of} />
        );
      })}
      <Space height={virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)} columns={of.columns.length} />
    </>
  );
}

function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
    <tr aria-hidden="true" className={classes.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
