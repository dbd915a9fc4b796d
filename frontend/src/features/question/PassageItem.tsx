import clsx from "clsx";
import { useState } from "react";
import type { RetrievedPassage } from "@/api/types";
import { formatScore } from "@/components/numbers/format";
import { words } from "@/words";
import classes from "./question.module.css";

const LONG = 420;
const label = words.evaluation;

interface Props {
  passage: RetrievedPassage;
  isKept: boolean;
  isGold: boolean;
}

export function PassageItem({ passage, isKept, isGold }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isLong = passage.text.length > LONG;
  return (
    <li className={clsx(classes.passage, !isKept && classes.dropped)}>
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
        <span className={classes.fate}>{isKept ? label.kept : label.below}</span>
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
