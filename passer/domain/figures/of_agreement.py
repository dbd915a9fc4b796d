"""Figures of a judge against people: both values of each answer, and their difference by their mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from passer.domain.figures.axes import column, slug
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.figures.of_pairs import marks
from passer.domain.judging.agreement import Agreement
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import Sentence, sentence

_DIGITS = 12
"""Decimals by which two values are the same point; a mean and a difference are rarely equal in their last bits."""


def agreement_figures(
    name: str, human: Floats, judge: Floats, numbers: Sequence[int], found: Agreement | None
) -> tuple[Figure, ...]:
    """Return the scatter plot and the Bland-Altman plot of a judged column; none without an agreement.

    `human` and `judge` are the values of the answers, both (n,); `numbers` are their questions, counted from 0.
    """
    if found is None:
        return ()
    return _scatter(name, human, judge, numbers), _bland_altman(name, human, judge, numbers, found)


def _scatter(name: str, human: Floats, judge: Floats, numbers: Sequence[int]) -> Figure:
    ends = (float(min(human.min(), judge.min())), float(max(human.max(), judge.max())))
    return _figure(
        "people-and-judge",
        sentence("figure.people-and-judge", column=name),
        name,
        x=Axis(label=sentence("figure.people"), domain=ends),
        y=Axis(label=sentence("figure.judge"), domain=ends),
        rows=_marks(human, judge, numbers),
        has_diagonal=True,
        notes=(sentence("figure.people-and-judge-note", n=int(human.size)),),
    )


def _bland_altman(name: str, human: Floats, judge: Floats, numbers: Sequence[int], found: Agreement) -> Figure:
    """Return differences by means, with bias and limits of agreement (Bland and Altman, 1986); 0 is in the middle."""
    limits = found.limits
    band = None if limits.low is None or limits.high is None else (limits.low, limits.high)
    reach = float(np.abs([*(judge - human), *(band or ())]).max()) or 1.0
    said = {"bias": limits.bias}
    return _figure(
        "bland-altman",
        sentence("figure.bland-altman", column=name),
        name,
        x=Axis(label=sentence("figure.mean-of-both")),
        y=Axis(label=sentence("figure.judge-minus-people"), domain=(-reach, reach)),
        rows=_marks((human + judge) / 2, judge - human, numbers),
        horizontals=(limits.bias,),
        band=band,
        band_name=sentence("figure.limits") if band else "",
        notes=(
            sentence("figure.limits-note", low=band[0], high=band[1], **said)
            if band
            else sentence("figure.bias-note", **said),
        ),
    )


def _marks(across: Floats, up: Floats, numbers: Sequence[int]) -> tuple[FigureRow, ...]:
    order = np.lexsort((np.asarray(numbers), up, across))
    own = [str(numbers[place] + 1) for place in order]
    return marks(np.round(across[order], _DIGITS), np.round(up[order], _DIGITS), own)


def _figure(
    kind: str, title: Sentence, name: str, *, x: Axis, y: Axis, rows: tuple[FigureRow, ...], **more: Any
) -> Figure:
    return Figure(
        id=f"{kind}-{slug(name)}",
        kind="scatter",
        title=title,
        x=x,
        y=y,
        is_sized=True,
        columns=(
            *column("label", sentence("figure.question")),
            *column("x", x.label),
            *column("y", y.label),
            *column("n", sentence("figure.answers")),
        ),
        series=(Series(name=sentence("figure.rated-answers"), rows=rows),),
        **more,
    )
