import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { type KeyboardEvent, useEffect, useState } from "react";
import { sweepQueries } from "@/api/sweeps";
import { AnchorLink } from "@/components/links";
import { withoutMarkdown } from "@/components/Markdown";
import { CPS, formatValue, useMetricScale } from "@/components/numbers/metricFormat";
import { Edged, useEdges } from "@/components/table/Frame";
import { t } from "@/words";
import classes from "./Across.module.css";
import type { AcrossProps } from "./across";

const FIRST_WORDS = 60;

/** A strip of the sweep's configurations; arrows walk it while it has the focus. */
export function Strip({ sweep, run, number, profile }: AcrossProps) {
  const { data } = useQuery(sweepQueries.question(sweep, number));
  const metric = data?.metric ?? CPS;
  const { range } = useMetricScale(profile, metric);
  const [strip, setStrip] = useState<HTMLElement | null>(null);
  const { edges, look } = useEdges(strip);
  // The page's own configuration may be the last of many.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip comes with its data, and moves with the run
  useEffect(() => {
    const here = strip?.querySelector<HTMLElement>("[aria-current]");
    if (here && strip) strip.scrollLeft = here.offsetLeft - strip.offsetLeft - here.clientWidth;
  }, [run, data, strip]);
  if (!data || data.items.length < 2) return null;
  return (
    <Edged edges={edges}>
      <nav
        ref={setStrip}
        aria-label={t("Configurations of the sweep")}
        className={classes.strip}
        onKeyDown={walk}
        onScroll={look}
      >
        {data.items.map(({ column, cell, answer }) => (
          <AnchorLink
            key={column.run_id}
            to="/runs/$id/questions/$number"
            params={{ id: column.run_id, number: String(number + 1) }}
            search={{}}
            resetScroll={false}
            underline="never"
            className={clsx(classes.stop, column.run_id === run && classes.here)}
            aria-current={column.run_id === run ? "page" : undefined}
          >
            <span className={classes.name}>{column.name}</span>
            <span className={classes.facts}>
              {[
                cell.score != null && `${metric} ${formatValue(cell.score, range)}`,
                t("{count, plural, one {# passage} other {# passages}}", { count: cell.kept }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
            <span className={classes.words}>
              {answer === null ? t("No answer") : withoutMarkdown(answer).slice(0, FIRST_WORDS)}
            </span>
          </AnchorLink>
        ))}
      </nav>
    </Edged>
  );
}

/** To the neighbour within the strip; the page's own arrow keys go to other questions. */
function walk(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const stops = [...event.currentTarget.querySelectorAll("a")];
  const here = stops.indexOf(event.target as HTMLAnchorElement);
  event.preventDefault();
  event.stopPropagation();
  stops[here + (event.key === "ArrowRight" ? 1 : -1)]?.focus();
}
