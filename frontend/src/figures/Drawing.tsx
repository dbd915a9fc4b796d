import { useEffect, useRef } from "react";
import type { Figure } from "@/api/types";
import { type Measures, plotOf } from "./plot";

/** The figure on the page, drawn again when its data, width or colours change. */
export default function Drawing({ figure, look, width }: Measures & { figure: Figure }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.replaceChildren(plotOf(figure, { look, width }));
  }, [figure, look, width]);
  return <div ref={place} aria-hidden="true" data-drawing />;
}
