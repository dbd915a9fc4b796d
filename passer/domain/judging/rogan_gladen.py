"""A judge's share of yes, corrected by labels of another data set (Rogan-Gladen).

How often a judge says yes rightly and no rightly is carried over; its share of yes is not, because the other data may
hold more or fewer right answers. Sources: Rogan, W. J., Gladen, B. (1978), Estimating prevalence from the results of a
screening test, Am. J. Epidemiol. 107; Lee, C. et al. (2025), How to correctly report LLM-as-a-judge evaluations,
arXiv:2511.21140.
"""

from __future__ import annotations

from math import sqrt

from passer.domain.base import Frozen
from passer.domain.statistics import Interval

Z = 1.959963984540054
"""Quantile .975 of the normal distribution."""
LEAST_YOUDEN = 0.1
"""A judge with sensitivity + specificity - 1 up to this is no better than chance, and nothing can be corrected."""
FEWEST_OF_A_KIND = 5
"""Fewest labels of each kind, yes and no, for a correction."""


class JudgeErrors(Frozen):
    """How a judge decided on answers that people have labelled with 0 or 1."""

    negatives: int
    """Answers that people labelled with 0."""
    negatives_right: int
    """Of these, answers that the judge gave 0 as well."""
    positives: int
    """Answers that people labelled with 1."""
    positives_right: int
    """Of these, answers that the judge gave 1 as well."""


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


def carried_share(yes: int, n: int, errors: JudgeErrors) -> CarriedShare | None:
    """Return the corrected share of `yes` in n judged answers, with adjusted counts; None where nothing is corrected.

    Counts are adjusted as (yes + z^2/2)/(n + z^2) and (right + 1)/(m + 2), so that shares of 0 and 1 have an error too.
    """
    if not n or min(errors.negatives, errors.positives) < FEWEST_OF_A_KIND:
        return None
    size, of_no, of_yes = n + Z**2, errors.negatives + 2, errors.positives + 2
    share, q0, q1 = (yes + Z**2 / 2) / size, (errors.negatives_right + 1) / of_no, (errors.positives_right + 1) / of_yes
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
