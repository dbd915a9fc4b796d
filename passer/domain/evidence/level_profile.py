"""Response profile of a model to a factor: the levels at which it gains or loses, and how broadly.

- mixed: at least one level gains significantly and at least one loses
- broad: no loss, and at least half of the tested levels gain
- narrow: no loss, and fewer gain
- none: no level gains
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from passer.domain.analysis.levels import Level, Levels, is_ordered
from passer.domain.base import Frozen

ProfileKind = Literal["broad", "narrow", "mixed", "none"]
"""Kinds of profiles by the rules above."""


@dataclass(frozen=True)
class LevelEffect:
    """One tested configuration."""

    levels: Levels
    """Levels of the factors that are tested."""
    gain: float | None
    """Mean difference from the baseline."""
    p: float | None
    """p value of that difference, corrected or not as the caller decides."""


class LevelProfile(Frozen):
    """The response of one model over all tested levels."""

    gains: tuple[dict[str, Level], ...]
    """Levels with a significant gain, in order."""
    losses: tuple[dict[str, Level], ...]
    """Levels with a significant loss, in order."""
    tested: int
    """Number of levels."""
    is_contiguous: bool | None
    """True if the gains are neighbours among the tested levels; None without a gain, or where levels have no order."""
    kind: ProfileKind
    """Kind of the profile: gains at half of the levels or more (`broad`) or at fewer (`narrow`), also losses (`mixed`),
    or no gain (`none`)."""


def level_profile(effects: Sequence[LevelEffect], *, level: float = 0.05) -> LevelProfile:
    """Return the profile of one model from its effects, ordered by level; an effect counts if p < `level`."""
    signs = [_sign(effect, level) for effect in effects]
    gains = [place for place, sign in enumerate(signs) if sign > 0]
    losses = [place for place, sign in enumerate(signs) if sign < 0]
    kind: ProfileKind = "broad" if 2 * len(gains) >= len(effects) else "narrow"
    if not gains:
        kind = "none"
    elif losses:
        kind = "mixed"
    ordered = is_ordered([effect.levels for effect in effects])
    return LevelProfile(
        gains=tuple(dict(effects[place].levels) for place in gains),
        losses=tuple(dict(effects[place].levels) for place in losses),
        tested=len(effects),
        is_contiguous=gains[-1] - gains[0] + 1 == len(gains) if gains and ordered else None,
        kind=kind,
    )


def _sign(effect: LevelEffect, level: float) -> int:
    if effect.p is None or effect.p >= level or not effect.gain:
        return 0
    return 1 if effect.gain > 0 else -1
