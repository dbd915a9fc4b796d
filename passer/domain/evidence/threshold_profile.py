"""How a model responds to the threshold: where it gains, where it loses, how broadly.

- mixed: at least one threshold gains significantly and at least one loses
- broad: no loss, and at least half of the tested thresholds gain
- narrow: no loss, and fewer gain
- none: no threshold gains
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from passer.domain.base import Frozen

ProfileKind = Literal["broad", "narrow", "mixed", "none"]
"""By the rules above."""


class ThresholdEffect(Frozen):
    """One tested threshold."""

    threshold: float
    """Smallest similarity kept."""
    gain: float | None
    """Mean difference from the baseline."""
    p: float | None
    """Of that difference, corrected or not as the caller decides."""


class ThresholdProfile(Frozen):
    """The response of one model over all tested thresholds."""

    gains: tuple[float, ...]
    """Thresholds with a significant gain, ascending."""
    losses: tuple[float, ...]
    """Thresholds with a significant loss, ascending."""
    tested: int
    """How many thresholds."""
    is_contiguous: bool | None
    """Whether the gains are neighbours among the tested thresholds; None without a gain."""
    kind: ProfileKind
    """By the rules of this module."""


def threshold_profile(effects: Sequence[ThresholdEffect], *, level: float = 0.05) -> ThresholdProfile:
    """The profile of one model; a threshold counts where p < level."""
    ordered = sorted(effects, key=lambda effect: effect.threshold)
    signs = [_sign(effect, level) for effect in ordered]
    gains = [place for place, sign in enumerate(signs) if sign > 0]
    losses = [place for place, sign in enumerate(signs) if sign < 0]
    kind: ProfileKind = "broad" if 2 * len(gains) >= len(ordered) else "narrow"
    if not gains:
        kind = "none"
    elif losses:
        kind = "mixed"
    return ThresholdProfile(
        gains=tuple(ordered[place].threshold for place in gains),
        losses=tuple(ordered[place].threshold for place in losses),
        tested=len(ordered),
        is_contiguous=gains[-1] - gains[0] + 1 == len(gains) if gains else None,
        kind=kind,
    )


def _sign(effect: ThresholdEffect, level: float) -> int:
    if effect.p is None or effect.p >= level or not effect.gain:
        return 0
    return 1 if effect.gain > 0 else -1
