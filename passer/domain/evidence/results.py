"""Results of the tests of a study: profiles, research questions, sensitivity."""

from __future__ import annotations

from pydantic import Field

from passer.domain.analysis.levels import Level
from passer.domain.base import Frozen
from passer.domain.evidence.correlation import CorrelationTable, RedundantPair
from passer.domain.evidence.half_splits import SplitChoice
from passer.domain.evidence.level_profile import LevelProfile
from passer.domain.evidence.power import PlannedQuestions
from passer.domain.evidence.research_questions import InteractionTest, OmnibusTest
from passer.domain.evidence.sensitivity import AnyNormalisation, GridSensitivity, WeightSensitivity
from passer.domain.statistics import Interval, NoTestReason
from passer.domain.wording.sentence import LocalizedText


class GainTests(Frozen):
    """One configuration against its baseline, by every test; paired by question."""

    model: LocalizedText
    """Label."""
    levels: dict[str, Level]
    """Levels of the tested factors."""
    n_pairs: int
    """Questions that both have."""
    gain: float | None
    """Mean difference in CPS; .01 is one point."""
    ci: Interval | None
    """95 % interval of the gain."""
    cohens_d: float | None
    """Cohen's d for pairs, ddof 1."""
    p_t: float | None
    """Paired t-test, uncorrected."""
    p_wilcoxon: float | None
    """Wilcoxon signed-rank test (Pratt), uncorrected."""
    p_permutation: float | None
    """Sign flips, uncorrected."""
    p_max_t: float | None
    """Sign flips, corrected over the family by single-step max-T."""
    p_holm: float | None
    """Paired t-test, corrected over the family."""
    p_bonferroni: float | None
    """Paired t-test, corrected over the family."""
    p_benjamini_hochberg: float | None
    """Paired t-test, corrected over the family."""
    detectable: float | None
    """Smallest gain that these questions find with 80 % power at .05 / family size, in CPS."""
    spread: float | None
    """Standard deviation of the per-question differences, ddof 1: what planning a study needs."""
    questions_for_a_point: int | None
    """Questions that would find a gain of one CPS point (.01) with 80 % power at .05 / family size."""
    noise: float | None
    """Standard deviation of CPS over repetitions of a question, of both sides; None where one has no repeats."""
    planned: tuple[PlannedQuestions, ...]
    """Questions for .5, 1, 2 and 5 points with 80 % power at .05 / family size, by repeats; without `noise` for one."""
    reason: NoTestReason | None
    """Reason why there is no test."""


class ModelEvidence(Frozen):
    """Evidence for one model."""

    model: LocalizedText
    """Label."""
    levels: tuple[dict[str, Level], ...]
    """Levels of its configurations, in order; lists by configuration have this order."""
    profile: LevelProfile
    """Profile of the gains corrected by max-T."""
    omnibus: OmnibusTest
    """RQ1: whether its configurations differ."""
    choice: SplitChoice | None
    """Choices of repeated half splits; None with fewer than four questions that all configurations share."""
    grid: tuple[GridSensitivity, ...]
    """Ranks of the configurations' T-CPS over the 25 pairs of alpha and beta; empty where one has no CV."""
    weights: WeightSensitivity | None
    """Sensitivity to the weights, of the baseline, then of the configurations; None without a question that all
    have."""


class ModelInteraction(Frozen):
    """RQ2: two models at the same levels."""

    first: LocalizedText
    """Label."""
    second: LocalizedText
    """Label."""
    levels: dict[str, Level]
    """Levels that both models have."""
    test: InteractionTest
    """Corrected over the levels that both models have."""


class NormalisedGains(Frozen):
    """The study with another normalisation."""

    method: AnyNormalisation
    """Scaling of metrics to [0, 1]."""
    gains: tuple[float | None, ...]
    """Mean difference in CPS of each comparison, in their order."""
    best: tuple[dict[str, Level] | None, ...]
    """Levels with the largest gain of each model; None where none gains."""


class Evidence(Frozen):
    """All tests of an analysis, and the sensitivity of its result."""

    seed: int
    """Seed of all random draws."""
    draws: int
    """Number of random sign flips."""
    resolution: float
    """The smallest p that they can give."""
    factors: tuple[str, ...]
    """Factors that were tested."""
    family_size: int = Field(ge=0)
    """Comparisons over which p values are corrected."""
    comparisons: tuple[GainTests, ...]
    """Comparisons by model, then by level."""
    models: tuple[ModelEvidence, ...]
    """Models with a baseline."""
    interactions: tuple[ModelInteraction, ...]
    """Every pair of models at all levels that both have."""
    normalisations: tuple[NormalisedGains, ...]
    """min-max first."""
    correlations: tuple[tuple[str, CorrelationTable], ...]
    """Spearman's rho of all metrics: pooled, then within each model."""
    redundant: tuple[RedundantPair, ...]
    """Pairs of metrics with |rho| > .95 in the pool."""
    statements: tuple[LocalizedText, ...]
    """Summary, with the numbers."""
