"""Number of questions that decides a comparison at the margin, by the family, and by normal or Student's t quantiles.

`evidence.power` is exact for one paired t-test; here the critical value is that of all comparisons together.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field

from passer.domain.base import Count, Frozen
from passer.domain.composite import CPS
from passer.domain.verdict.amounts import amount
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence

POWER = 0.8
"""Chance that the planned number of questions decides."""
SMALLEST_SHARE = 1e-6
"""Smallest margin that a plan counts questions for, as a share of the standard deviation or of the scale."""


class MeasuredSpread(Frozen):
    """Spread of the differences of a sweep, and how wide its intervals were for that."""

    sd: float = Field(gt=0)
    """Standard deviation of the paired differences of single questions."""
    critical: float
    """Critical value of the family: half the width of the interval in standard errors."""


class PlannedSpread(Frozen):
    """Standard deviation of the paired differences of single questions that a plan assumes."""

    smallest: float = Field(gt=0)
    """The smallest one."""
    largest: float = Field(gt=0)
    """The largest one; equal to the smallest where only one is known."""
    critical: float = 0.0
    """The largest critical value that was measured; large where few questions have large differences."""
    source: Literal["dataset", "sheets-dataset", "model", "project", "sheets", "assumed"]
    """Earlier sweeps of the same dataset, of the same model, or others of the project, or imported sheets; else an
    assumption."""
    sweeps: tuple[str, ...] = ()
    """Ids of the sweeps or imports that measured it, newest first; empty for an assumption."""

    def basis(self, primary: str) -> Sentence:
        """Return where the standard deviation comes from, in words."""
        smallest, largest = (amount(primary, each, "size") for each in (self.smallest, self.largest))
        shown = largest if smallest == largest else sentence("plan.range", low=smallest, high=largest)
        return sentence(f"plan.sd-{self.source}", sd=shown, n=len(self.sweeps))


ASSUMED_SPREAD = PlannedSpread(smallest=0.04, largest=0.22, critical=4.5, source="assumed")
"""Assumption where nothing was measured: the range of CPS (panel text-1) over the configurations that are not worse.

Between 20 thresholds and their baselines of two models in the published study it is .040 to .109 (long answers), in the
example organic-farming with the extractive reader .024 to .216 (passages that are right or wrong), where few questions
with large differences give critical values of 2.7 to 4.7.
"""


class DecisionPlan(Frozen):
    """Differences that a planned sweep can decide, before any answer is known."""

    questions: Count
    """Questions of each configuration."""
    comparisons: Count
    """Configurations that are compared with a baseline."""
    margin: float
    """Smallest difference that matters."""
    spread: PlannedSpread
    """Standard deviations of the paired differences, and where they come from."""
    detectable: float
    """Smallest difference that the questions find with power .8 at worst: with the largest standard deviation, and
    intervals as wide as the widest that were measured."""
    smallest_detectable: float
    """The same at best: with the smallest standard deviation, and intervals as of differences without outliers."""
    questions_needed: Count
    """Questions that find the margin with power .8 at worst."""
    fewest_needed: Count
    """The same at best."""
    line: LocalizedText
    """The same in words."""

    @classmethod
    def of(
        cls,
        *,
        questions: int,
        comparisons: int,
        margin: float,
        alpha: float,
        final_alpha: float | None = None,
        spread: PlannedSpread = ASSUMED_SPREAD,
        fewest: int,
        primary: str = CPS,
    ) -> DecisionPlan:
        """Plan for one family of comparisons; a verdict needs `fewest` questions whatever their spread.

        `final_alpha` is that of the last look, by which the number of questions is planned; as `alpha` without looks.
        """
        ends = ((spread.smallest, 0.0), (spread.largest, spread.critical))
        usual = planned_critical(questions=questions, comparisons=comparisons, alpha=alpha)
        found = [
            detectable_difference(questions=questions, standard_deviation=sd, critical=max(usual, critical))
            for sd, critical in ends
        ]
        needed = [
            _planned_questions(margin, sd, critical, comparisons=comparisons, alpha=final_alpha or alpha, fewest=fewest)
            for sd, critical in ends
        ]
        sizes = [amount(primary, each, "size") for each in found]
        if questions < fewest:
            first = sentence("plan.no-verdict", questions=questions, fewest=fewest)
        elif sizes[0] == sizes[1]:
            first = sentence("plan.detects", questions=questions, comparisons=comparisons, detectable=sizes[1])
        else:
            given = {"smallest": sizes[0], "detectable": sizes[1]}
            first = sentence("plan.detects-range", questions=questions, comparisons=comparisons, **given)
        code = "plan.needed" if needed[0] == needed[1] else "plan.needed-range"
        wanted = sentence(code, margin=amount(primary, margin, "size"), fewest=needed[0], needed=needed[1])
        return cls(
            questions=questions,
            comparisons=comparisons,
            margin=margin,
            spread=spread,
            detectable=found[1],
            smallest_detectable=found[0],
            questions_needed=needed[1],
            fewest_needed=needed[0],
            line=sentence("plan.decision", first=first, needed=wanted, basis=spread.basis(primary)),
        )


def planned_critical(*, questions: int, comparisons: int, alpha: float) -> float:
    """Return the critical value of a family before its answers are known: Sidak's, of Student's t.

    It is cautious for neighbouring thresholds, whose differences are alike. The verdict draws its own from the
    questions; with few of them both are far above that of the normal distribution.
    """
    # Not with the module: every start of the program would load scipy, and no start plans a sweep.
    from scipy.special import stdtrit

    return float(stdtrit(max(1, questions - 1), (1 + (1 - alpha) ** (1 / comparisons)) / 2))


def _planned_questions(
    margin: float, sd: float, measured: float, *, comparisons: int, alpha: float, fewest: int
) -> int:
    """Return the number of questions that detects the margin.

    The critical value is that of this number of questions, or the measured one if it is larger.
    """
    # A margin far below the spread would need more questions than JSON can count.
    margin = max(margin, sd * SMALLEST_SHARE)
    needed = fewest
    # From few questions the value is too large, so the first number is too; the second or third stays the same.
    for _ in range(4):
        usual = planned_critical(questions=needed, comparisons=comparisons, alpha=alpha)
        critical = max(usual, measured)
        needed = max(fewest, questions_needed(margin=margin, difference_variance=sd**2, critical=critical))
    return needed


def questions_needed(*, margin: float, difference_variance: float, critical: float | None = None) -> int:
    """Return the number of questions that find a difference of `margin` with power POWER.

    n = ((c + z_power) / margin)^2 omega^2 (Miller 2024, arXiv 2411.00640, section 5): omega^2 is the variance of the
    paired difference, noise of the answers and effect of clusters included. `critical` is c, the critical value of
    the family; by default 1.96, of a single comparison at .05. Never plan on the observed gain: it was selected for
    being large.
    """
    c = _quantile(0.975) if critical is None else critical
    return math.ceil(((c + _quantile(POWER)) / margin) ** 2 * difference_variance)


@dataclass(frozen=True)
class MeasuredCritical:
    """Critical value of a family as some questions gave it, and what more of them would give."""

    value: float
    """The measured one, in standard errors."""
    clusters: int
    """Clusters that gave it."""
    comparisons: int
    alpha: float

    def at(self, clusters: int) -> float:
        """Return the critical value with more clusters: its excess over the usual one falls with their square root.

        The excess is the skewness of few questions, the first term of the Edgeworth expansion of a studentised mean
        (Hall 1992, "The Bootstrap and Edgeworth Expansion", 2.6).
        """
        usual = planned_critical(questions=clusters, comparisons=self.comparisons, alpha=self.alpha)
        return self.value - max(0.0, self.value - usual) * (1 - math.sqrt(self.clusters / clusters))

    def with_alpha(self, alpha: float) -> MeasuredCritical:
        """Return the critical value of another error, in proportion to those of differences without outliers."""
        here, there = (
            planned_critical(questions=self.clusters, comparisons=self.comparisons, alpha=each)
            for each in (self.alpha, alpha)
        )
        return replace(self, value=self.value * there / here, alpha=alpha)

    def clusters_needed(self, *, margin: float, difference_variance: float) -> int:
        """Return the clusters that find a difference of `margin` with power POWER; the variance is that of clusters."""
        given = {"margin": margin, "difference_variance": difference_variance}
        most = questions_needed(**given, critical=self.value)

        def is_enough(clusters: int) -> bool:
            return clusters >= questions_needed(**given, critical=self.at(clusters))

        return 1 + bisect_left(range(1, most), True, key=is_enough)


def _quantile(probability: float) -> float:
    """Return the quantile of the normal distribution."""
    # Not with the module: every start of the program would load scipy, and no start plans a sweep.
    from scipy.special import ndtri

    return float(ndtri(probability))


def detectable_difference(*, questions: int, standard_deviation: float, critical: float) -> float:
    """Return the smallest difference that this many questions find with power POWER."""
    return (critical + _quantile(POWER)) * standard_deviation / math.sqrt(questions)
