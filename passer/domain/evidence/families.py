"""Families of comparisons with a baseline: the levels of one or more factors, model by model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from passer.domain.analysis.levels import MIN_SIMILARITY, Levels, at_factors, level_order
from passer.domain.analysis.question_table import QuestionTable

THRESHOLDS = (MIN_SIMILARITY,)
"""The default factor."""


@dataclass(frozen=True)
class Family:
    """A model's baseline and the configurations that are compared with it."""

    model: str
    """Label."""
    baseline: int
    """Place of the baseline in the table."""
    members: tuple[int, ...]
    """Places of the configurations: numbers ascending, names in the order of the table."""
    levels: tuple[Levels, ...]
    """Levels of each member in the tested factors."""

    @property
    def comparisons(self) -> tuple[tuple[int, int], ...]:
        """Return (member, baseline) for each member."""
        return tuple((member, self.baseline) for member in self.members)

    @property
    def places(self) -> tuple[int, ...]:
        """Return the baseline, then the members."""
        return (self.baseline, *self.members)

    def at(self, levels: Sequence[Levels]) -> list[tuple[int, int]]:
        """Return the comparisons at these levels, in their order."""
        return [self.comparisons[self.levels.index(item)] for item in levels]

    def shared(self, other: Family) -> list[Levels]:
        """Return the levels that both families have, in the order of this one."""
        return [item for item in self.levels if item in other.levels]


def families(
    table: QuestionTable, factors: Sequence[str] = THRESHOLDS, *, within: Iterable[int] | None = None
) -> list[Family]:
    """Return a family for each model with one baseline and levels of a factor, in the order of the table.

    Only configurations that have a question count, and only those at the places `within` where that is given.
    """
    places = [place for place in within or range(len(table.configurations)) if table.size(place)]
    found: dict[str, list[tuple[int, int]]] = {}
    for place in places:
        item = table.configurations[place]
        if item.baseline in places and at_factors(item.levels, factors):
            found.setdefault(item.label, []).append((place, item.baseline))
    # By whichever comes first in the table, the baseline or a member.
    ordered = sorted(found, key=lambda label: min(min(pair) for pair in found[label]))
    return [_family(table, label, found[label], factors) for label in ordered if len({b for _, b in found[label]}) == 1]


def _family(table: QuestionTable, label: str, pairs: Sequence[tuple[int, int]], factors: Sequence[str]) -> Family:
    levels = {place: at_factors(table.configurations[place].levels, factors) for place, _ in pairs}
    members = tuple(sorted(levels, key=lambda place: level_order(levels[place], factors)))
    return Family(label, pairs[0][1], members, tuple(levels[place] for place in members))
