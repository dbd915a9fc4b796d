import clsx from "clsx";
import { useState } from "react";
import type { RetrievedPassage } from "@/api/types";
import { partsOf, type Range } from "@/components/evaluation/support";
import { Hint } from "@/components/Hint";
import { formatScore } from "@/components/numbers/format";
import { t } from "@/words";
import classes from "./PassageItem.module.css";
import { PassageText } from "./PassageText";
import { passageId } from "./passageId";

const LONG = 420;

interface Props {
  passage: RetrievedPassage;
  /** Whether the model got to read it; left out where none was asked. */
  isKept?: boolean;
  isGold?: boolean;
  /** Parts that support the answer. */
  support?: readonly Range[] | undefined;
  /** Its number in the prompt, where citations lead to it. */
  number?: number | undefined;
}

const NOTHING: readonly Range[] = [];

/** A passage with its place in a ranking; a long one is folded. */
export function PassageItem({ passage, isKept, isGold = false, support = NOTHING, number }: Props) {
  // What supports the answer is never folded away.
  const [isOpen, setOpen] = useState(support.length > 0);
  const isLong = passage.text.length > LONG;
  return (
    <li
      data-passage
      id={number === undefined ? undefined : passageId(number)}
      tabIndex={number === undefined ? undefined : -1}
      className={clsx(classes.passage, isKept === false && classes.dropped)}
    >
      <div className={classes.head}>
        <span className={classes.rank}>{passage.rank}</span>
        <Hint className={classes.similarity} text={t("Similarity to the question")}>
          {formatScore(passage.similarity)}
        </Hint>
        <span className={classes.source}>
          {passage.document}
          {passage.page != null && `, ${t("page {page, number}", { page: passage.page })}`}
        </span>
        {isGold && (
          <Hint className={classes.gold} text={t("Contains a gold passage of this question.")}>
            ★ {t("gold")}
          </Hint>
        )}
        {isKept !== undefined && <span>{isKept ? t("kept") : t("not kept")}</span>}
      </div>
      <p className={clsx(classes.text, isLong && !isOpen && classes.clamped)}>
        {partsOf(passage.text, support).map(({ start, text, isIn }) => {
          const Part = isIn ? "mark" : "span";
          const mark = isIn && { className: classes.support, title: t("Supports a sentence of the answer") };
          return (
            <Part key={start} {...mark}>
              <PassageText text={text} document={passage.document} />
            </Part>
          );
        })}
      </p>
      {isLong && (
        <button
          type="button"
          className={classes.open}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t("Show less") : t("Show full passage")}
        </button>
      )}
    </li>
  );
}
