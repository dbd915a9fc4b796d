import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Standings } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { Edged, useEdges } from "@/components/table/Frame";
import { t } from "@/words";
import classes from "./WinMatrix.module.css";

const route = getRouteApi("/arena/$id");

/** The strongest mix with a colour in which text on a cell stays easy to read, by day and by night. */
const STRONGEST = 36;
const HALF = 0.5;

type Cell = Standings["matrix"][number];

/** Who won against whom; a cell leads to its games. */
export function WinMatrix({ standings }: { standings: Standings }) {
  const { id } = route.useParams();
  const { system, opponent, counted } = route.useSearch();
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const { edges, look } = useEdges(frame);
  const entrants = standings.rows.map(({ entrant }) => entrant);
  const cells = new Map(standings.matrix.map((cell) => [`${cell.run} ${cell.opponent}`, cell]));
  return (
    <Panel title={t("Wins against each other")}>
      <Edged edges={edges}>
        <section
          ref={setFrame}
          onScroll={look}
          className={classes.frame}
          aria-label={t("Win matrix")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
          tabIndex={0}
        >
          <table className={classes.matrix}>
            <thead>
              <tr>
                <th scope="col">{t("System")}</th>
                {entrants.map(({ id: run, name }, place) => (
                  <th key={run} scope="col" title={name}>
                    <abbr title={name}>{place + 1}</abbr>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entrants.map((row, place) => (
                <tr key={row.id}>
                  <th scope="row">
                    {place + 1}. {row.name}
                  </th>
                  {entrants.map((column, across) => {
                    const cell = cells.get(`${row.id} ${column.id}`);
                    if (!cell) return <td key={column.id} />;
                    const isOpen = row.id === system && column.id === opponent;
                    return (
                      <td key={column.id} style={{ background: colourOf(cell) }}>
                        <AnchorLink
                          to="/arena/$id"
                          params={{ id }}
                          search={{ counted, system: row.id, opponent: column.id }}
                          resetScroll={false}
                          className={classes.cell}
                          aria-current={isOpen || undefined}
                          aria-label={labelOf(cell, row.name, column.name)}
                          title={titleOf(cell, standings.above[place]?.[across])}
                        >
                          {formatShare(shareOf(cell))}
                        </AnchorLink>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Edged>
      <Quiet>
        {t(
          "Share of games that the system of the row won against that of the column; ties count as not won.",
        )}
      </Quiet>
    </Panel>
  );
}

function total({ wins, losses, ties }: Cell): number {
  return wins + losses + ties;
}

function shareOf(cell: Cell): number {
  return cell.wins / total(cell);
}

/** By who won more often, not by the share alone: ties belong to nobody. */
function colourOf(cell: Cell): string | undefined {
  const lead = (cell.wins - cell.losses) / total(cell);
  const strength = Math.round(STRONGEST * Math.min(1, Math.abs(lead) / HALF));
  const colour = lead > 0 ? "--gain" : "--loss";
  return strength === 0 ? undefined : `color-mix(in oklab, var(${colour}) ${strength}%, var(--surface))`;
}

/** What the share in the cell does not say: the games, the ties, and how sure the order of the ratings is. */
function titleOf(cell: Cell, above: number | undefined): string {
  const games = t("{wins, number} wins, {losses, number} losses, {ties, number} ties", {
    wins: cell.wins,
    losses: cell.losses,
    ties: cell.ties,
  });
  if (above === undefined) return games;
  return t("{games}. Rated higher in {share} of the resampled sets of questions.", {
    games,
    share: formatShare(above),
  });
}

function labelOf(cell: Cell, row: string, column: string): string {
  return t("{row} against {column}: {wins, number} wins, {losses, number} losses, {ties, number} ties", {
    row,
    column,
    wins: cell.wins,
    losses: cell.losses,
    ties: cell.ties,
  });
}
