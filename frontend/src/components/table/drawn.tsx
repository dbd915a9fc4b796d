import type { ReactNode } from "react";
import { Digest } from "@/components/Digest";
import { Moment } from "@/components/Moment";
import type { Column } from "./columns";
import type { Of, Rest } from "./kinds";

/** Texts that are drawn, not shown as they are. */
function drawn(draw: (text: string) => ReactNode) {
  return <Row,>(
    id: string,
    label: string,
    value: Of<Row, string | null | undefined>,
    rest?: Rest<Row>,
  ): Column<Row> => ({
    id,
    label,
    value,
    cell: (row) => {
      const found = value(row);
      return found && draw(found);
    },
    ...rest,
  });
}

/** A moment in the reader's time zone. */
export const momentColumn = drawn((at) => <Moment at={at} />);
/** The beginning of a digest. */
export const digestColumn = drawn((digest) => <Digest value={digest} />);
