"""A judge's share of yes, corrected by labels of another data set (Rogan-Gladen).

How often a judge says yes rightly and no rightly is carried over; its share of yes is not, because the other data may
hold more or fewer right answers. Sources: Rogan, W. J., Gladen, B. (1978), Estimating prevalence from the results of a
screening test, Am. J. Epidemiol. 107; Lee, C. et al. (2025), How to correctly report LLM-as-a-judge evaluations,
arXiv:2511.21140. Labels of a draw with unequal probabilities are weighted, and count as many as a simple random sample
of the same variance would: Franco, C. et al. (2019), Comparative study of confidence intervals for proportions in
complex sample surveys, J. Survey Stat. Methodol. 7; Kish, L. (1965), Survey sampling, for a share of 0 or 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from passer.domain.base import Frozen
from passer.domain.statistics import Interval, Z

LEAST_YOUDEN = 0.1
"""A judge with sensitivity + specificity - 1 up to this is no better than chance, and nothing can be corrected."""
FEWEST_OF_A_KIND = 5
"""Fewest labels of each kind, yes and no, for a correction."""


class LabelledAnswer(NamedTuple):
    """One answer that people labelled with 0 or 1."""

    is_right: bool
    """True if the judge decided as people did."""
    weight: float
    """Inverse of the probability with which its question was drawn; 1 if all had the same, or if none is known."""
    question: str
    """Id of its question: answers to one question are not independent."""


class LabelledShare(Frozen):
    """Share of answers on which a judge decides as people did, among those that people gave one value."""

    n: int
    """Number of answers."""
    right: int
    """Number of these answers that the judge decided as people did."""
    share: float | None
    """Share of `right`, each answer weighted by the inverse of its probability to be drawn; None without answers."""
    size: float
    """Number of answers of a simple random sample with the same variance; `n` at equal weights, one a question."""


class JudgeErrors(Frozen):
    """Decisions of a judge on answers that people have rated 0 or 1."""

    no: LabelledShare
    """Answers that people labelled with 0; its share is the specificity."""
    yes: LabelledShare
    """Answers that people labelled with 1; its share is the sensitivity."""


class CarriedShare(Frozen):
    """A share of yes, corrected by labels of other data."""

    value: float
    """The estimate, in [0, 1]."""
    error: float
    """Its standard error."""
    interval: Interval
    """95 % interval, cut to [0, 1]."""


def plain_share(share: float, *, specificity: float, sensitivity: float) -> float:
    """Return (p + q0 - 1) / (q0 + q1 - 1), which may lie outside [0, 1]; ZeroDivisionError at q0 + q1 = 1."""
    return (share + specificity - 1) / (specificity + sensitivity - 1)


def labelled_share(answers: Sequence[LabelledAnswer]) -> LabelledShare:
    """Return the weighted share q of right decisions, and the size q (1 - q) / var with the variance of a ratio.

    var = sum_g (sum_i w_i (right_i - q))^2 / (sum w)^2 over questions g. A share of 0 or 1 has no variance: its size is
    Kish's (sum_g W_g)^2 / sum_g W_g^2, with W_g the sum of the weights of a question. It is never larger than the
    number of answers: the variance is an estimate by few errors.
    """
    n, right = len(answers), sum(each.is_right for each in answers)
    total = sum(each.weight for each in answers)
    if not n:
        return LabelledShare(n=0, right=0, share=None, size=0.0)
    share = sum(each.weight for each in answers if each.is_right) / total
    off: defaultdict[str, float] = defaultdict(float)
    whole: defaultdict[str, float] = defaultdict(float)
    for each in answers:
        off[each.question] += each.weight * (each.is_right - share)
        whole[each.question] += each.weight
    if 0 < right < n:
        variance = sum(value**2 for value in off.values()) / total**2
        size = share * (1 - share) / variance if variance else float(n)
    else:
        share, size = float(right == n), total**2 / sum(value**2 for value in whole.values())
    return LabelledShare(n=n, right=right, share=share, size=min(size, float(n)))


def carried_share(yes: int, n: int, errors: JudgeErrors) -> CarriedShare | None:
    """Return the corrected share of `yes` in n judged answers, with adjusted counts; None where nothing is corrected.

    Counts are adjusted as (yes + z^2/2)/(n + z^2) and (q m + 1)/(m + 2) with the size m of a share q, so that shares of
    0 and 1 have an error too.
    """
    if (
        not n
        or errors.no.share is None
        or errors.yes.share is None
        or min(errors.no.n, errors.yes.n) < FEWEST_OF_A_KIND
    ):
        return None
    size, of_no, of_yes = n + Z**2, errors.no.size + 2, errors.yes.size + 2
    share = (yes + Z**2 / 2) / size
    q0, q1 = (errors.no.share * errors.no.size + 1) / of_no, (errors.yes.share * errors.yes.size + 1) / of_yes
    youden = q0 + q1 - 1
    if youden <= LEAST_YOUDEN:
        return None
    value = min(1.0, max(0.0, plain_share(share, specificity=q0, sensitivity=q1)))
    variance = (
        share * (1 - share) / size
        + (1 - value) ** 2 * q0 * (1 - q0) / of_no
        + value**2 * q1 * (1 - q1) / of_yes
    ) / youden**2  # fmt: skip
    error = sqrt(variance)
    interval = Interval(low=max(0.0, value - Z * error), high=min(1.0, value + Z * error))
    return CarriedShare(value=value, error=error, interval=interval)
