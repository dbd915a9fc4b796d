"""Facts of answer and reference against each other: recall, precision, F1, fact match, weighted correctness."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from passer.domain.judging.ask import Embed
from passer.domain.judging.formulas import share
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Findings, Recipe
from passer.domain.score import MissingReason
from passer.metrics.judged.parts import RAGAS, TRIPLETS, check_texts, found, judged, replies, with_nearest_reference
from passer.metrics.judged.triplets import BOTH_NOTE, FACTS, IN_TEXT, facts_of_both, in_text
from passer.metrics.registry import register_recipe
from passer.ports import Vectors

SAME = 0.9
"""Cosine above which two facts are the same."""

NAMES = (
    "Factual recall",
    "Factual precision",
    "Factual F1",
    "Fact match recall",
    "Fact match columns",
    "Answer correctness (weighted)",
)


@register_recipe(
    judged(
        NAMES[0],
        summary="Share of the reference's facts that the answer states.",
        formula="TP / (TP + FN) over the facts of the reference",
        citation=RAGAS,
        notes=(BOTH_NOTE,),
    ),
    judged(
        NAMES[1],
        summary="Share of the answer's facts that the reference states.",
        formula="TP / (TP + FP) over the facts of the answer",
        citation=RAGAS,
        notes=(BOTH_NOTE,),
    ),
    judged(
        NAMES[2],
        summary="Harmonic mean of factual recall and precision.",
        formula="2 P R / (P + R); 0 if both are 0",
        citation=RAGAS,
    ),
    judged(
        NAMES[3],
        summary="Facts of the answer that match one of the reference, against reference facts without a match.",
        formula=f"M = cosines, answer x reference facts, hit if > {SAME}: rows with a hit / (rows with a hit + columns "
        "without)",
        citation=TRIPLETS,
        embeds=True,
    ),
    judged(
        NAMES[4],
        summary="Share of the reference's facts that match a fact of the answer.",
        formula="columns of the same matrix with a hit / columns",
        citation=TRIPLETS,
        embeds=True,
    ),
    judged(
        NAMES[5],
        summary="Factual F1 and similarity of answer and reference, weighted.",
        formula=".75 Factual F1 + .25 max(0, cosine(answer, reference))",
        citation=RAGAS,
        embeds=True,
    ),
    tasks=(FACTS, IN_TEXT),
    embeds=True,
)
def factual(item: Item) -> Recipe[Findings]:
    """Ask for the facts of both texts, then whether the other text states each."""
    item = with_nearest_reference(item)
    check_texts(item, answer=True, reference=True)
    both = yield from facts_of_both(item)
    mine, theirs, of_answer = both.of_answer, both.of_reference, both.compared
    checked = yield from replies((*in_text(item.reference, of_answer), *in_text(item.answer, theirs.facts)))
    stated = [reply["b_stated"] == "yes" for reply in checked]
    precision = share(stated[: len(of_answer)]) if of_answer else None
    recall = share(stated[len(of_answer) :]) if theirs.facts else None
    vectors: Vectors = yield Embed(texts=(item.answer, item.reference, *mine.facts, *theirs.facts))
    n = len(mine.facts)
    matrix = np.asarray(vectors[2 : 2 + n] @ vectors[2 + n :].T, dtype=np.float64)
    why: MissingReason = "abstained" if item.abstained else "no_facts"
    f1 = _f1(precision, recall)
    rows, hits = matched(matrix) if mine.facts and theirs.facts else (None, None)
    near = min(1.0, max(0.0, float(vectors[0] @ vectors[1])))
    numbers: list[Any] = [recall, precision, f1, rows, hits, None if f1 is None else 0.75 * f1 + 0.25 * near]
    reasons: list[MissingReason] = ["no_facts", why, why if precision is None else "no_facts", "no_facts", "no_facts"]
    reasons.append(reasons[2])
    return tuple(found(number, reason=each, note=both.note) for number, each in zip(numbers, reasons, strict=True))


def matched(cosines: NDArray[np.float64]) -> tuple[float, float]:
    """Return rows with a hit / (rows with a hit + columns without), and columns with a hit / columns.

    Rows are facts of the answer, columns facts of the reference; the two count in different units.
    """
    hit = cosines > SAME
    rows, columns = int(hit.any(axis=1).sum()), hit.any(axis=0)
    without = int((~columns).sum())
    return rows / (rows + without) if rows + without else 0.0, float(columns.mean())


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
