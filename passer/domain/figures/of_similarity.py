"""The figure of similarities: where a threshold cuts gold passages and other passages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from passer.domain.figures.axes import column, slug
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import sentence

BIN = 0.02
"""Width of a bin; thresholds are mostly multiples of it."""


def similarity_figure(
    passages: Iterable[tuple[Sequence[tuple[str, float]], Sequence[str] | None]],
    *,
    collection: str,
    thresholds: Sequence[float],
) -> Figure | None:
    """Return the distributions of similarity, each in percent of its passages; None without passages.

    `passages` are, by question, the retrieved ids with their similarities and the gold ids (None if unknown).
    """
    gold: list[float] = []
    other: list[float] = []
    known = False
    for found, gold_ids in passages:
        known = known or gold_ids is not None
        of_question = set(gold_ids or ())
        for passage, similarity in found:
            (gold if passage in of_question else other).append(similarity)
    both = np.array(gold + other)
    if both.size == 0:
        return None
    # Edges are the same for both, so that their bars can be compared.
    first, last = np.floor(both.min() / BIN), np.floor(both.max() / BIN) + 1
    edges = np.arange(first, last + 1) * BIN
    groups = (("figure.gold-passages", gold), ("figure.other-passages" if known else "figure.retrieved", other))
    series = tuple(
        Series(name=sentence(name), rows=shares_by_bin(np.array(values), edges)) for name, values in groups if values
    )
    return Figure(
        id=f"similarities-{slug(collection)}",
        kind="line",
        title=sentence("figure.similarities" if known else "figure.similarities-retrieved", collection=collection),
        x=Axis(label=sentence("figure.similarity")),
        y=Axis(label=sentence("figure.share-of-passages"), unit="%"),
        is_stepped=True,
        verticals=tuple(sorted(set(thresholds))),
        columns=(
            *column("x", sentence("figure.similarity")),
            *column("y", sentence("figure.share-of-passages"), "%"),
            *column("n", sentence("figure.passages-counted")),
        ),
        series=series,
        notes=(
            sentence("figure.similarities-note", gold=len(gold), other=len(other))
            if known
            else sentence("figure.retrieved-note", n=len(other)),
        ),
    )


def shares_by_bin(values: Floats, edges: Floats) -> tuple[FigureRow, ...]:
    """Return the percentage of values in each bin, at the middle of the bin; `edges` are evenly spaced.

    An empty bin before and one behind let the steps end at 0.
    """
    counts = np.histogram(values, bins=edges)[0]
    middles = np.round((edges[:-1] + edges[1:]) / 2, 6)
    width = edges[1] - edges[0]
    ends = [FigureRow(x=float(round(middles[at] + shift, 6)), y=0.0, n=0) for at, shift in ((0, -width), (-1, width))]
    rows = [
        FigureRow(x=float(middle), y=100 * int(count) / values.size, n=int(count))
        for middle, count in zip(middles, counts, strict=True)
    ]
    return (ends[0], *rows, ends[1])
