import clsx from "clsx";
import { useState } from "react";
import type { RetrievedPassage } from "@/api/types";
import { formatScore } from "@/components/numbers/format";
import { words } from "@/words";
import classes from "./PassageItem.module.css";

const LONG = 420;
const label = words.evaluation;

interface Props {
  passage: RetrievedPassage;
  /** Whether the model got to read it; left out where none was asked. */
  isKept?: boolean;
  isGold?: boolean;
}

/** A passage with its place in a ranking; a long one is folded. */
export function PassageItem({ passage, isKept, isGold = false }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isLong = passage.text.length > LONG;
  return (
    <li data-passage className={clsx(classes.passage, isKept === false && classes.dropped)}>
      <div className={classes.head}>
        <span className={classes.rank}>{passage.rank}</span>
        <span className={classes.similarity} title={label.similarity}>
          {formatScore(passage.similarity)}
        </span>
        <span className={classes.source}>
          {passage.document}
          {passage.page != null && `, ${label.page(passage.page)}`}
        </span>
        {isGold && (
          <span className={classes.gold} title={label.goldHint}>
            ★ {label.gold}
          </span>
        )}
        {isKept !== undefined && <span>{isKept ? label.kept : label.below}</span>}
      </div>
      <p className={clsx(classes.text, isLong && !isOpen && classes.clamped)}>{passage.text}</p>
      {isLong && (
        <button
          type="button"
          className={classes.open}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? label.less : label.more}
        </button>
      )}
    </li>
  );
}
