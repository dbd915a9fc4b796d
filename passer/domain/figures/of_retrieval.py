"""Figures of retrieval alone: each measure over the cut K, a line for each retriever."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.figures.axes import COUNTED, column, interval, slug
from passer.domain.figures.figure import Axis, Figure, FigureRow, Series
from passer.domain.retrieval.at_k import SPAN_RECALL, figure_name
from passer.domain.retrieval.report import RankingFigures
from passer.domain.wording.sentence import sentence

DRAWN = ("P", "R", "F1", "MRR", "nDCG", SPAN_RECALL)
"""Measures with a curve; the others are in the table."""


def curves(rankings: Sequence[RankingFigures], ks: Sequence[int], judged: int) -> tuple[Figure, ...]:
    """Return a figure for each measure; none for a single cut, or where nothing is known to be relevant."""
    if len(ks) < 2 or not judged:
        return ()
    found = [{figure.name: figure for figure in each.figures} for each in rankings]
    names = [measure for measure in DRAWN if all(figure_name(measure, ks[0]) in figures for figures in found)]
    return tuple(_curve(measure, rankings, ks, judged) for measure in names)


def _curve(measure: str, rankings: Sequence[RankingFigures], ks: Sequence[int], judged: int) -> Figure:
    across, name = sentence("figure.cut"), figure_name(measure, "K")
    mean = sentence("figure.retrieval-mean", measure=name)
    return Figure(
        id=f"{slug(measure)}-at-k",
        kind="line",
        title=sentence("figure.retrieval", measure=name),
        x=Axis(label=across),
        y=Axis(label=mean, domain=(0, 1)),
        columns=(*column("x", across), *column("y", mean), *interval(), *COUNTED),
        series=tuple(Series(name=each.label, rows=_rows(each, measure, ks, judged)) for each in rankings),
        notes=(sentence("figure.retrieval-note", n=judged),),
    )


def _rows(ranking: RankingFigures, measure: str, ks: Sequence[int], judged: int) -> tuple[FigureRow, ...]:
    by_name = {figure.name: figure for figure in ranking.figures}
    found = [(k, by_name[figure_name(measure, k)]) for k in ks]
    return tuple(
        FigureRow(
            x=k,
            y=figure.mean,
            low=figure.interval.low if figure.interval else None,
            high=figure.interval.high if figure.interval else None,
            n=judged,
            label=ranking.label,
        )
        for k, figure in found
    )
