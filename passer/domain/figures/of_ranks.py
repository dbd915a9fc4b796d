"""The figure of all gains in order of size, each with its simultaneous interval."""

from __future__ import annotations

from passer.domain.composite import CPS
from passer.domain.figures.axes import by_tie, column, interval, notes
from passer.domain.figures.figure import Axis, Figure, FigureRow
from passer.domain.figures.points import Study
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.family import FamilyGain
from passer.domain.wording.sentence import sentence

POINTS_OF_ONE = 100
"""CPS points in a CPS of 1."""


def ranked_figure(study: Study) -> Figure:
    """Return the gains in the primary metric, the largest first, and how many of their intervals include zero.

    Configurations that cannot be distinguished from the best one are a series of their own. A configuration
    without an interval (too few questions differ) is drawn without one and not counted.
    """
    is_cps = study.primary == CPS
    scale, unit = (POINTS_OF_ONE, sentence("unit.points")) if is_cps else (1, "")
    compared = [(point, point.judged) for point in study.points if point.judged and point.judged.gain is not None]
    groups: dict[bool, list[FigureRow]] = {True: [], False: []}
    for point, gain in sorted(compared, key=lambda pair: -(pair[1].gain or 0.0)):
        is_tied = (point.model, point.name) in study.tied
        groups[is_tied].append(_row(study.name_of(point), gain, scale=scale, label=point.name))
    label = sentence("figure.gain-of", metric=study.primary)
    return Figure(
        id="ranked",
        kind="ranked",
        title=sentence("figure.ranked", metric=study.primary),
        x=Axis(label=sentence("figure.configuration"), scale="category"),
        y=Axis(label=label, unit=unit),
        verticals=(-round(scale * study.margin, 10),) if study.margin else (),
        columns=(
            *column("x", sentence("figure.configuration")),
            *column("y", label, unit),
            *interval(unit),
            *column("n", sentence("figure.n")),
            *column("p", sentence("figure.p")),
        ),
        series=by_tie(groups),
        notes=_notes(study, [gain for _, gain in compared]),
    )


def _row(name: str, gain: FamilyGain, *, scale: int, label: str) -> FigureRow:
    def scaled(value: float | None) -> float | None:
        return None if value is None else scale * value

    return FigureRow(
        x=name,
        y=scaled(gain.gain),
        low=scaled(gain.low),
        high=scaled(gain.high),
        n=gain.pairs,
        p=gain.p,
        label=label,
    )


def _notes(study: Study, gains: list[FamilyGain]) -> tuple[str, ...]:
    """Return the sentence that counts, what the marks are, and how many have no interval."""
    judged = [gain for gain in gains if gain.p is not None]
    # By the ends and not by the outcome, which says nothing where there is no verdict. None is an unbounded end.
    zero = sum(1 for gain in judged if (gain.low is None or gain.low <= 0) and (gain.high is None or gain.high >= 0))
    missing = len(gains) - len(judged)
    return notes(
        sentence("figure.ranked-zero", zero=zero, n=len(judged)) if judged else "",
        sentence("figure.ranked-missing", n=missing) if missing else "",
        sentence("figure.ranked-note", level=study.level, margin=amount(study.primary, study.margin, "size"))
        if study.margin
        else "",
    )
