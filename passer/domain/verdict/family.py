"""Gains of all configurations against one baseline, with one rule for intervals, p values and outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from passer.domain.base import Frozen, added_field
from passer.domain.defaults import ALPHA, MARGIN
from passer.domain.statistics import Floats, Interval, effective_size
from passer.domain.verdict.cluster_sums import ClusterSums, cluster_sums
from passer.domain.verdict.simultaneous import DRAWS, Simultaneous, concluded, resampled, simultaneous
from passer.domain.verdict.two_looks import second_look

FEWEST_CHANGED = 10
"""Clusters that must differ from the baseline before a configuration joins the family.

With fewer, some resamples contain no difference at all; their t* is infinite and would widen every interval of the
family without bound. t* does not depend on a constant that is added to all differences, so the same number must
differ from any other amount that is found in most clusters, such as +.1 in 95 of 100 (`one_amount`).
"""

MOST_PAIR_CELLS = 10_000_000
"""Sums of a tied set: 230 configurations of 369 questions, 45 of 10,000. Some seconds."""
MOST_PAIRED = 2_000_000
"""Sums of a tied set that exist at the same time; bounds memory."""

Outcome = Literal["better", "worse", "as_good", "undecided", "identical"]
"""Conclusion from the interval of a gain; the first that applies.

better: above 0. worse: below 0. as_good: above -margin, so not inferior; claimed at alpha / 2, because the interval is
two-sided. identical: no question differs. undecided: anything else.
"""
NoInterval = Literal["few_changed", "one_amount", "no_spread", "too_few", "identical"]
"""Reasons why a gain has no interval.

few_changed: too few clusters differ from the baseline. one_amount: most clusters differ by the same amount, and too few
by others. no_spread: all differ by the same amount.
"""


class FamilyRule(Frozen):
    """Rule by which gains are judged; recorded with a sweep before it starts."""

    margin: float = Field(default=MARGIN, gt=0)
    """Smallest difference that matters, in units of the primary metric."""
    alpha: float = Field(default=ALPHA, gt=0, lt=0.5)
    """Family-wise error, both sides together."""
    draws: int = Field(default=DRAWS, ge=99, le=1_000_000)
    """Bootstrap resamples."""
    seed: int = Field(default=20_260_101, ge=0, lt=2**64)
    """Seed of the resamples."""
    old_rank: SkipJsonSchema[bool] = added_field(False)
    """True if upper ends have the rank of verdict.json before version 4; only to verify such documents."""
    old_family: SkipJsonSchema[bool] = added_field(False)
    """True if `one_amount` is no reason to leave the family, as before version 8; only to verify such documents."""


@dataclass(frozen=True)
class FirstLook:
    """Clusters that a planned first look has tested already."""

    in_first: NDArray[np.bool_]
    """Shape (clusters,), in the order of `cluster_sums`."""
    share: float
    """Share of all planned questions that the first look had."""


def first_look(in_first: Sequence[bool], clusters: Sequence[int] | None, *, share: float) -> FirstLook | None:
    """Return the clusters that a first look has tested; None where one of the two parts has fewer than two.

    `in_first` states for each question whether it was in the first look; a cluster with a new question is new.
    """
    numbers = np.arange(len(in_first)) if clusters is None else np.asarray(clusters)
    # One new question makes the whole cluster new: its sum was not what the first look had tested.
    late = set(numbers[~np.asarray(in_first, dtype=bool)].tolist())
    first = np.array([number not in late for number in np.unique(numbers)], dtype=bool)
    return FirstLook(first, share) if min(first.sum(), (~first).sum()) >= 2 else None


class FamilyGain(Frozen):
    """Gain of one configuration over the baseline, with its interval and outcome."""

    gain: float | None
    """Weighted mean difference; None without pairs."""
    standard_error: float | None = None
    """Standard error by cluster; None with fewer than two clusters."""
    low: float | None = None
    """Lower end of the simultaneous interval; None without one, or where it is unbounded."""
    high: float | None = None
    """Upper end of the simultaneous interval; None without one, or where it is unbounded."""
    p: float | None = None
    """Two-sided p value, adjusted for the family; None without an interval."""
    outcome: Outcome
    """First outcome whose condition is true."""
    reason: NoInterval | None = None
    """Reason why there is no interval, or with `too_few` no outcome; None otherwise."""
    pairs: int
    """Questions that both configurations have."""
    clusters: int
    """Clusters of these questions."""
    changed: int
    """Clusters whose difference is not 0."""
    effective_pairs: float | None = added_field(None)
    """Equally weighted pairs that are as informative: (sum w)^2 / sum w^2; None where all weights are equal."""
    alike: int | None = added_field(None)
    """Clusters with the most frequent difference; only with `one_amount`."""
    amount: float | None = added_field(None)
    """The most frequent difference; only with `one_amount`."""

    @property
    def counted_pairs(self) -> float:
        """Return the pairs that a verdict may count: a few heavy questions are not many."""
        return self.pairs if self.effective_pairs is None else self.effective_pairs

    def is_no_different(self, margin: float) -> bool:
        """Return whether the whole interval lies within the margin on both sides (two-sided equivalence).

        The first outcome that holds counts: a configuration that is better, if only by a little, is not called equal.
        """
        return self.outcome == "as_good" and self.high is not None and self.high < margin

    @property
    def interval(self) -> Interval | None:
        """Return the simultaneous interval; None if there is none or an end is infinite."""
        return None if self.low is None or self.high is None else Interval(low=self.low, high=self.high)


def family_gains(
    differences: Floats,
    rule: FamilyRule,
    *,
    clusters: Sequence[int] | None = None,
    weights: Floats | None = None,
    looks: FirstLook | None = None,
) -> tuple[FamilyGain, ...]:
    """Judge every configuration against the baseline as one family.

    `differences` has shape (questions, configurations): configuration minus baseline, higher is better, repeats
    averaged, NaN where a pair is missing. `clusters` and `weights` are as in `cluster_sums`. With
    `looks` the bound is that of a planned second look.
    """
    if not differences.shape[0]:
        return tuple(
            FamilyGain(gain=None, outcome="undecided", reason="too_few", pairs=0, clusters=0, changed=0)
            for _ in range(differences.shape[1])
        )
    paired = ~np.isnan(differences)
    sums = cluster_sums(differences, clusters=clusters, weights=weights)
    reasons = _reasons(sums, rule)
    members = [place for place, reason in enumerate(reasons) if reason is None]
    # Only those that can have an interval share the draws: one with three changed questions would widen every interval.
    found = _judged(sums.of(members), rule, looks) if members else None
    changed = sums.changed().tolist()
    return tuple(
        _gain(sums, place, reason, {**_pairs(paired[:, place], weights), "changed": differing}, found, members, rule)
        for place, (reason, differing) in enumerate(zip(reasons, changed, strict=True))
    )


def _pairs(paired: NDArray[np.bool_], weights: Floats | None) -> dict[str, Any]:
    """Return the number of pairs, and with weights how many they are worth."""
    n = int(paired.sum())
    return {"pairs": n, "effective_pairs": effective_size(weights[paired]) if n and weights is not None else None}


def _judged(family: ClusterSums, rule: FamilyRule, looks: FirstLook | None) -> Simultaneous:
    given: dict[str, Any] = {"seed": rule.seed, "alpha": rule.alpha, "draws": rule.draws}
    if looks is None:
        return simultaneous(family, **given, old_rank=rule.old_rank)
    return second_look(family, looks.in_first, share=looks.share, **given)


def tied_with_best(
    differences: Floats, rule: FamilyRule, *, clusters: Sequence[int] | None = None, weights: Floats | None = None
) -> tuple[int, ...] | None:
    """Return the configurations that no other one is better than, by one family over all ordered pairs.

    `differences` are as in `family_gains`; the baseline itself takes part as a column of zeros. None where pairs times
    clusters are more than `MOST_PAIR_CELLS`: pairs grow with the square of the configurations.
    """
    sums = cluster_sums(differences, clusters=clusters, weights=weights)
    if math.comb(differences.shape[1], 2) * sums.sums.shape[0] > MOST_PAIR_CELLS:
        return None
    parts, compared = [], []
    for pairs in _pair_blocks(differences.shape[1], max(1, MOST_PAIRED // sums.sums.shape[0])):
        apart = sums.of(pairs[:, 0].tolist()).minus(sums.of(pairs[:, 1].tolist()))
        members = [place for place, reason in enumerate(_reasons(apart, rule)) if reason is None]
        if members:
            parts.append(resampled(apart.of(members), seed=rule.seed, draws=rule.draws))
            compared += pairs[members].tolist()
    # Each pair once: `both_ways` gives the opposite order at no further cost.
    found = concluded(parts, alpha=rule.alpha, both_ways=True) if parts else None
    beaten: set[int] = set()
    if found is not None:
        for (first, second), low, high in zip(compared, found.low, found.high, strict=True):
            beaten |= {second} if low > 0 else {first} if high < 0 else set()
    return tuple(place for place in range(differences.shape[1]) if place not in beaten)


def _pair_blocks(configurations: int, width: int) -> Iterator[NDArray[np.intp]]:
    """Yield arrays of shape (pairs, 2), `width` pairs each or fewer, with every pair of configurations once in all."""
    pairs = np.column_stack(np.tril_indices(configurations, -1))
    for first in range(0, len(pairs), width):
        yield pairs[first : first + width]


def has_one_amount(size: int, alike: int) -> bool:
    """Return whether most of some clusters have the same difference, and too few have others.

    Without a majority all clusters of a resample are alike with a probability of 2 / 2^size at most.
    """
    return 2 * alike > size and size - alike < FEWEST_CHANGED


def _reasons(sums: ClusterSums, rule: FamilyRule) -> list[NoInterval | None]:
    with np.errstate(divide="ignore", invalid="ignore"):
        has_spread = sums.standard_errors > 0
    found: list[NoInterval | None] = []
    known = zip(sums.sizes.tolist(), sums.changed(), has_spread, sums.most_frequent(), strict=True)
    for size, differing, spread, (alike, _) in known:
        if size < 2:
            found.append("too_few")
        # Before few_changed, which would be true as well: an equal configuration is named as one with what it equals.
        elif not differing:
            found.append("identical")
        elif differing < FEWEST_CHANGED:
            found.append("few_changed")
        elif not spread:
            found.append("no_spread")
        else:
            found.append("one_amount" if has_one_amount(size, alike) and not rule.old_family else None)
    return found


def _gain(
    sums: ClusterSums,
    place: int,
    reason: NoInterval | None,
    counted: Mapping[str, Any],
    family: Simultaneous | None,
    members: Sequence[int],
    rule: FamilyRule,
) -> FamilyGain:
    own = sums.of([place])
    clusters = int(own.sizes[0])
    given: dict[str, Any] = {**counted, "clusters": clusters}
    gain = float(own.gains[0]) if clusters else None
    error = float(own.standard_errors[0]) if clusters > 1 else None
    if reason == "one_amount":
        given["alike"], given["amount"] = own.most_frequent()[0]
    if reason is not None or family is None:
        outcome: Outcome = "identical" if reason == "identical" else "undecided"
        return FamilyGain(gain=gain, standard_error=error, outcome=outcome, reason=reason, **given)
    tested = tested_member(family, members.index(place), rule)
    return FamilyGain(gain=gain, standard_error=error, **tested, **given)


def tested_member(family: Simultaneous, member: int, rule: FamilyRule) -> dict[str, Any]:
    """Return the interval, p value and outcome of a member of the family, by field of its gain."""
    low, high = float(family.low[member]), float(family.high[member])
    return {
        "low": low if np.isfinite(low) else None,
        "high": high if np.isfinite(high) else None,
        "p": float(family.p_values[member]),
        "outcome": outcome_of(low, high, margin=rule.margin),
    }


def outcome_of(low: float, high: float, *, margin: float) -> Outcome:
    """Return the outcome of a gain by its interval; infinite ends are allowed."""
    if low > 0:
        return "better"
    if high < 0:
        return "worse"
    return "as_good" if low > -margin else "undecided"
