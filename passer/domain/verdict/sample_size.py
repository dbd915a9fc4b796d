"""Number of questions that decides a comparison at the margin, by the normal distribution and the family.

`evidence.power` is exact for one paired t-test; here the critical value is that of all comparisons together.
"""

from __future__ import annotations

import math

from passer.domain.base import Count, Frozen
from passer.domain.composite import CPS
from passer.domain.verdict.amounts import amount
from passer.domain.wording.sentence import Said, sentence

POWER = 0.8
"""Chance that the planned number of questions decides."""

PLANNED_SD = 0.1
"""Standard deviation of paired differences that a plan assumes: typical of thresholds on a scale from 0 to 1."""


class DecisionPlan(Frozen):
    """Differences that a planned sweep can decide, before any answer is known."""

    questions: Count
    """Questions of each configuration."""
    comparisons: Count
    """Configurations that are compared with a baseline."""
    margin: float
    """Smallest difference that matters."""
    assumed_sd: float
    """Assumed standard deviation of the paired differences."""
    detectable: float
    """Smallest difference that the questions find with power .8."""
    questions_needed: Count
    """Questions that find the margin with power .8."""
    line: Said
    """The same in words."""

    @classmethod
    def of(cls, *, questions: int, comparisons: int, margin: float, alpha: float, primary: str = CPS) -> DecisionPlan:
        """Plan with a critical value for independent comparisons, which is cautious for neighbouring thresholds."""
        critical = _quantile((1 + (1 - alpha) ** (1 / comparisons)) / 2)
        found = detectable_difference(questions=questions, standard_deviation=PLANNED_SD, critical=critical)
        needed = questions_needed(margin=margin, difference_variance=PLANNED_SD**2, critical=critical)
        given = {"questions": questions, "comparisons": comparisons, "margin": margin, "detectable": found}
        sizes = {"margin": margin, "detectable": found, "sd": PLANNED_SD}
        said = {name: amount(primary, size, "size") for name, size in sizes.items()}
        line = sentence("plan.decision", **said, questions=questions, comparisons=comparisons, needed=needed)
        return cls.model_validate({**given, "assumed_sd": PLANNED_SD, "questions_needed": needed, "line": line})


def questions_needed(
    *,
    margin: float,
    difference_variance: float,
    critical: float | None = None,
    power: float = POWER,
) -> int:
    """Return the number of questions that find a difference of `margin` with this power.

    n = ((c + z_power) / margin)^2 omega^2 (Miller 2024, arXiv 2411.00640, section 5): omega^2 is the variance of the
    paired difference, noise of the answers and effect of clusters included. `critical` is c, the critical value of
    the family; by default 1.96, of a single comparison at .05. Never plan on the observed gain: it was selected for
    being large.
    """
    c = _quantile(0.975) if critical is None else critical
    return math.ceil(((c + _quantile(power)) / margin) ** 2 * difference_variance)


PLANNED_REPEATS = (1, 2, 3, 5)
"""Answers to each question that a plan with repeats compares."""


def questions_by_repeats(
    *, margin: float, between_variance: float, within_variance: float, critical: float, design_effect: float = 1.0
) -> tuple[tuple[int, int], ...]:
    """Return the questions that decide at the margin for each of PLANNED_REPEATS, as (repeats, questions).

    n = ((c + z_power) / margin)^2 (omega^2 + 2 sigma^2 / K) deff for K repeats (Miller 2024, arXiv 2411.00640, section
    5): `between_variance` is omega^2, the variance of the true paired difference; `within_variance` is sigma^2, that of
    single answers to a question on one side. `design_effect` is deff, at least 1; questions per cluster, where both
    variances are those of cluster means.
    """
    return tuple(
        (
            repeats,
            questions_needed(
                margin=margin,
                difference_variance=(between_variance + 2 * within_variance / repeats) * design_effect,
                critical=critical,
            ),
        )
        for repeats in PLANNED_REPEATS
    )


def _quantile(probability: float) -> float:
    """Return the quantile of the normal distribution."""
    # Not with the module: every start of the program would load scipy, and no start plans a sweep.
    from scipy.special import ndtri

    return float(ndtri(probability))


def detectable_difference(*, questions: int, standard_deviation: float, critical: float, power: float = POWER) -> float:
    """Return the smallest difference that this many questions find with this power."""
    return (critical + _quantile(power)) * standard_deviation / math.sqrt(questions)
