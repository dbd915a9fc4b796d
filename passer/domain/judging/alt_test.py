"""The alternative annotator test: may a judge take the place of one of several people who rate?

Calderon, N., Reichart, R., Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: How to statistically
justify replacing human annotators with LLMs. ACL. https://aclanthology.org/2025.acl-long.782/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from passer.domain.base import Frozen
from passer.domain.statistics import Floats

FEWEST_ITEMS = 30
"""Fewest items of a rater that the judge and another rater have too."""
Raters = Literal["crowd", "skilled", "experts"]
ALLOWANCES: tuple[tuple[Raters, float], ...] = (("crowd", 0.1), ("skilled", 0.15), ("experts", 0.2))
"""Epsilon, 0 to 1: amount by which the judge's share of won items may be below the rater's because it costs less."""
# Level and majority are those of the published test, so that its verdicts can be compared with published ones.
_ALPHA = 0.05
_PASSES = 0.5
_Won = tuple[Floats, Floats]


class AltVerdict(Frozen):
    """The result for one kind of raters."""

    raters: Raters
    """`crowd`, `skilled` or `experts`: who the raters are decides the allowance."""
    allowance: float
    """Epsilon: how far the judge's share of won items may be below that of the rater."""
    winning: float
    """Share of the raters, 0 to 1, whose place the judge may take by the test: the paper's omega. The procedure of
    Benjamini and Yekutieli limits false discoveries to 5 %."""
    passes: bool
    """True if the judge may replace at least half of the raters."""


class AltTest(Frozen):
    """Alternative annotator test: does a judge agree with the raters as well as the rater it would replace?"""

    raters: int
    """Raters with 30 items or more."""
    items: int
    """Smallest number of items of one of them."""
    advantage: float
    """Mean over the raters of the share of items on which the judge is at least as near to the others as the rater."""
    verdicts: tuple[AltVerdict, ...]
    """One for each kind of raters, the smallest allowance first."""


def alt_test(raters: Mapping[str, Mapping[str, float]], judge: Mapping[str, float]) -> AltTest | None:
    """Return the test of a judge's values by item against those of each rater; None below two raters with 30 items.

    A side is nearer to the others by the mean squared difference, with two values by the share of equal ones. The test
    was made for three raters or more: with two, each is compared with the other one alone.
    """
    compared = [pair for name in raters if (pair := _won(name, raters, judge)) is not None]
    if len(compared) < 2:
        return None
    return AltTest(
        raters=len(compared),
        items=min(judged.size for judged, _ in compared),
        advantage=float(np.mean([judged.mean() for judged, _ in compared])),
        verdicts=tuple(_verdict(kind, allowance, compared) for kind, allowance in ALLOWANCES),
    )


def _won(name: str, raters: Mapping[str, Mapping[str, float]], judge: Mapping[str, float]) -> _Won | None:
    """Return where the judge, and where the rater, is at least as near to the others, item by item; None below 30."""
    others = [values for other, values in raters.items() if other != name]
    judged, rated = [], []
    for item, own in raters[name].items():
        known = np.array([values[item] for values in others if item in values])
        if item in judge and known.size:
            far, far_own = (round(float(((known - value) ** 2).mean()), 9) for value in (judge[item], own))
            judged.append(float(far <= far_own))
            rated.append(float(far_own <= far))
    return (np.array(judged), np.array(rated)) if len(judged) >= FEWEST_ITEMS else None


def _verdict(kind: Raters, allowance: float, compared: Sequence[_Won]) -> AltVerdict:
    from scipy.stats import false_discovery_control

    p = false_discovery_control([_p_value(rated - judged, allowance) for judged, rated in compared], method="by")
    winning = float(np.mean(p < _ALPHA))
    return AltVerdict(raters=kind, allowance=allowance, winning=winning, passes=winning >= _PASSES)


def _p_value(behind: Floats, allowance: float) -> float:
    """One-sided t test of "the judge is behind the rater by the allowance or more" on differences, shape (n,)."""
    from scipy.stats import ttest_1samp

    if np.ptp(behind) == 0:
        return 0.0 if behind[0] < allowance else 1.0
    return float(ttest_1samp(behind, allowance, alternative="less").pvalue)
