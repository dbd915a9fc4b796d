"""Losses that a sample may not contain: "as good" needs enough questions to exclude them.

If 3 % of the questions lose .8, a sample of 30 contains none of them in two cases of five. Its interval is then short,
and no interval that is computed from the sample can know better. docs/decisions/018 has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from passer.domain.statistics import Floats
from passer.domain.verdict.family import FamilyGain, FamilyRule
from passer.domain.verdict.sample_size import SMALLEST_SHARE


def unseen_share(clusters: int, *, alpha: float) -> float:
    """Return the largest share of questions of which a sample of so many clusters has none with probability alpha.

    1 - alpha^(1/n), at .05 about 3/n (Clopper and Pearson 1934; Hanley and Lippman-Hand 1983, "If nothing goes wrong,
    is everything all right?").
    """
    return float(1 - alpha ** (1 / clusters))


def questions_to_exclude(*, margin: float, alpha: float, highest: float = 1.0) -> int:
    """Return the number of questions that exclude an unseen loss of the margin at a gain of 0.

    A question that loses something loses `highest` at most.
    """
    if margin >= highest:
        return 1
    # A margin far below the scale would need more questions than JSON can count.
    return math.ceil(math.log(alpha) / math.log1p(-max(margin / highest, SMALLEST_SHARE)))


def unseen_loss(values: Floats, share: float, weights: Floats | None = None) -> float:
    """Return by how much a mean falls if the questions with the highest values, a share of all, fall to 0.

    No other choice of as many questions can lose more. Values below 0 lose nothing.
    """
    order = np.argsort(-values, kind="stable")
    parts = np.full(values.size, 1 / values.size) if weights is None else weights[order] / weights.sum()
    before = np.cumsum(parts) - parts
    lost = np.clip(share - before, 0.0, parts)
    return float((lost * np.maximum(values[order], 0.0)).sum())


def without_unseen_losses(
    gains: Sequence[FamilyGain],
    differences: Floats,
    baselines: Floats,
    rule: FamilyRule,
    *,
    weights: Floats | None = None,
) -> tuple[FamilyGain, ...]:
    """Return the gains of a family, undecided instead of as good where an unseen loss could exceed the margin.

    `differences` are those of the gains and `baselines` the values of their baselines, both of shape (questions,
    configurations); a question counts where it has a difference.
    """
    return tuple(
        _judged(gain, differences[:, place], baselines[:, place], rule, weights) for place, gain in enumerate(gains)
    )


def _judged(
    gain: FamilyGain, differences: Floats, baseline: Floats, rule: FamilyRule, weights: Floats | None
) -> FamilyGain:
    if rule.old_losses or gain.outcome != "as_good" or gain.gain is None:
        return gain
    paired = ~np.isnan(differences)
    # Not alpha by the number of comparisons: where one configuration of a family shows one to three rare losses, the
    # intervals of all have no end, so that several chances to miss losses are no more than one.
    share = unseen_share(gain.clusters, alpha=rule.alpha)
    loss = unseen_loss(baseline[paired], share, None if weights is None else weights[paired])
    if loss < gain.gain + rule.margin:
        return gain
    return gain.model_copy(update={"outcome": "undecided", "reason": "unseen_losses"})
