"""Smallest number of questions that decide the first place."""

from __future__ import annotations

import numpy as np

from passer.domain.arena.davidson import fit_of, rating_of, refit
from passer.domain.arena.tally import Ints, Tally
from passer.domain.base import Frozen
from passer.domain.statistics import Floats

FEWEST = 3
"""Number of questions below which the effect of removing some is not computed."""
_NOBODY = -1


class Fragility(Frozen):
    """Questions whose removal changes the leader of a tournament."""

    leader: str
    """Run with the highest rating."""
    successor: str
    """Run that leads without these questions."""
    questions: tuple[str, ...]
    """The fewest that were found, the most influential first."""
    of: int
    """Questions of the tournament."""


def fragility(tally: Tally) -> Fragility | None:
    """Return the fewest questions whose removal changes the leader; None without one, or if half do not suffice.

    Greedy: for each challenger, questions are removed in the order of what each of them alone adds to the leader's
    advantage, and all is fitted again after each. The true number can be smaller, never larger.
    """
    size = len(tally.questions)
    if size < FEWEST or not tally.is_connected:
        return None
    start = fit_of(tally)
    leader = int(_leaders(start.parameters)[0])
    if leader == _NOBODY:
        return None
    without_each = refit(tally, tally.total[None] - tally.counts, start).parameters
    best: Fragility | None = None
    for challenger in range(len(tally.runs)):
        if challenger == leader:
            continue
        advantage = without_each[:, leader] - without_each[:, challenger]
        order = np.argsort(advantage, kind="stable")
        most = len(best.questions) - 1 if best else size // 2
        removed = np.cumsum(tally.counts[order[:most]], axis=0)
        if not most:
            continue
        leads = _leaders(refit(tally, tally.total[None] - removed, start).parameters)
        changed = np.flatnonzero((leads != leader) & (leads != _NOBODY))
        if changed.size:
            first = int(changed[0])
            best = Fragility(
                leader=tally.runs[leader],
                successor=tally.runs[int(leads[first])],
                questions=tuple(tally.questions[n] for n in order[: first + 1]),
                of=size,
            )
    return best


def _leaders(parameters: Floats) -> Ints:
    # Ratings are shown in whole points: a run leads only where a reader sees that it does. Otherwise the first of
    # equal runs would lead by its place in the list.
    shown = np.round(rating_of(parameters))
    leads = np.sort(shown, axis=1)
    return np.where(leads[:, -1] > leads[:, -2], np.argmax(shown, axis=1), _NOBODY)
