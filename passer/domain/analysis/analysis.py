"""Input and result of an analysis: configurations, their comparison with a baseline, and the pools behind CPS."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from passer.domain.analysis.confounds import DifferingField
from passer.domain.analysis.consistency import Consistency
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.effort import Latency
from passer.domain.analysis.gains import PartialGain
from passer.domain.analysis.pool import Pool
from passer.domain.base import Frozen, added_field
from passer.domain.composite import CPS, PUBLISHED, MissingPolicy, Normalisation, TcpsWeights
from passer.domain.retrieval.quality import RetrievalQuality
from passer.domain.score import VectorProfile
from passer.domain.statistics import Interval, NoTestReason
from passer.domain.study.registration import VerdictStatus
from passer.domain.verdict.conclusion import Conclusion, SweepVerdict
from passer.domain.verdict.family import FamilyGain
from passer.domain.verdict.sample_size import MeasuredSpread
from passer.domain.verdict.verdict import FEWEST_PAIRS, Cost, Verdict, VerdictRule, critical_value
from passer.domain.wording.sentence import LocalizedText

Scope = Literal["all", "model", "run", "given"]
"""Rows that give minimum and maximum: of all runs, each model, each configuration, or given constants."""
TruncatedPolicy = Literal["keep", "exclude"]
"""A question with a truncated prompt or answer stays, or leaves every configuration."""
Family = Literal["analysis", "model"]
"""Comparisons over which p values are corrected: all of the analysis, or those of one model."""


class MetricMean(Frozen):
    """One of the 24 columns over a configuration's rows."""

    metric: str
    """Column name."""
    mean: float | None
    """Over the rows that have a value; None where none has."""
    n: int
    """Rows that have a value."""
    missing: dict[str, int]
    """Rows without one, by reason."""


class Comparison(Frozen):
    """Comparison of a configuration with its baseline, paired by question."""

    baseline: LocalizedText
    """Name of the baseline."""
    n_pairs: int
    """Questions that both have."""
    only_here: int
    """Questions left out because the baseline lacks them."""
    only_baseline: int
    """Questions left out because the configuration lacks them."""
    n_prompts_changed: int | None
    """Number of pairs whose prompt differs from the baseline's; None where repetitions make that unclear."""
    baseline_mean_cps: float | None
    """Mean CPS of the baseline over the pairs."""
    baseline_tcps: float | None
    """T-CPS of the baseline over the pairs."""
    gain: float | None
    """Mean difference in CPS; .01 is one point."""
    ci: Interval | None
    """Simultaneous interval of the gain over all comparisons; None without one, and where CPS is not primary."""
    judged: FamilyGain
    """Gain in the primary metric by the rule of the verdict: simultaneous interval, adjusted p, outcome."""
    gold_lost: int | None = None
    """Questions that kept a gold passage with the baseline and keep none here; None where none is known."""
    gold_won: int | None = None
    """Questions that keep a gold passage here and kept none with the baseline; None where none is known."""
    with_passages: PartialGain
    """Gain over the questions for which the configuration kept at least one passage, in any repetition."""
    without_passages: PartialGain
    """Gain over the questions for which it kept none."""
    improvement_pct: float | None
    """Gain in percent of the baseline's mean; depends on the pool."""
    tcps_improvement_pct: float | None
    """Gain in T-CPS, in percent of the baseline's."""
    balance: float | None
    """(T-CPS improvement % / 100) / CV."""
    t: float | None
    """Paired t statistic."""
    p: float | None
    """Two-sided, uncorrected."""
    p_holm: float | None
    """p value, corrected by Holm's method over the family."""
    p_bonferroni: float | None
    """p value, corrected by Bonferroni's method over the family."""
    p_benjamini_hochberg: float | None
    """p value, corrected by the method of Benjamini and Hochberg over the family."""
    family_size: int
    """Number of comparisons that the p value is adjusted for."""
    cohens_d: float | None
    """Cohen's d for pairs, ddof 1."""
    effect: str
    """negligible, small, medium or large; empty without a d."""
    stars: str
    """Stars by judged.p: `***` .001, `**` .01, `*` .05, `ns`; empty without a p."""
    reason: NoTestReason | None
    """Reason why t, p and d are missing."""


class ConfigurationResult(Frozen):
    """One configuration: a run, or its repetitions together."""

    name: LocalizedText
    """Shown in tables."""
    model: LocalizedText
    """Model, with prompt and temperature where several are compared."""
    policy: LocalizedText
    """Cut: the passages that the model gets."""
    threshold: float | None
    """Smallest similarity kept; None outside Score mode."""
    k: int | None
    """Most passages kept; None without retrieval."""
    is_baseline: bool
    """True if others are compared with it."""
    run_ids: tuple[str, ...]
    """Ids of its runs: one, or one for each repetition."""
    n: int
    """Questions in the composite, repetitions averaged."""
    n_excluded: int
    """Questions left out of the composite."""
    excluded: dict[str, int]
    """The questions left out by reason; `another_configuration` if another configuration lost their score."""
    n_worst_filled: int
    """Rows in the composite in which a missing score counts as the pool's worst value."""
    worst_filled: dict[str, int]
    """Scores so counted, by reason."""
    n_failed: int
    """Rows without an answer."""
    n_unfinished: int
    """Rows not scored yet; they enter nowhere."""
    n_truncated: int
    """Rows whose prompt or answer was cut."""
    n_repeated: int
    """Questions that occur more than once within a run; averaged."""
    mean_cps: float | None
    """Mean CPS over the questions paired with the baseline; over all of its own if it is a baseline or has none."""
    ci: Interval | None
    """95 % interval of mean_cps, within 0 and 1 unless constants are given; None below five questions."""
    cv: float | None
    """Standard deviation / mean over the same questions, ddof 1: their difficulty and the instability together."""
    tcps: float | None
    """T-CPS over the same questions: the mean with a reward for stability."""
    within_sd: float | None
    """Generation noise: standard deviation of CPS over repetitions of a question, pooled over the questions.

    sqrt(sum of squared deviations from each question's mean / (rows - questions)); None without repetitions.
    """
    within_cv: float | None
    """within_sd / mean over all of its own questions; None without repetitions or where the mean is not positive."""
    between_sd: float | None
    """Standard deviation over all of its own questions, each averaged over its repetitions; None below two questions.

    ddof 1. It includes the noise that averaging leaves: within_sd^2 / r with r repetitions.
    """
    between_cv: float | None
    """between_sd / mean over the same questions; None where the mean is not positive."""
    mean_primary: float | None = None
    """Mean of the primary metric over the same questions as mean_cps, higher is better: the sign of a perplexity is
    reversed. None without values."""
    costs: dict[Cost, float] = added_field({})
    """Mean cost of a question by every measure that all its answers record, that of the verdict first.

    Money has the currency of the rule's price.
    """
    consistency: Consistency | None = None
    """Agreement of its repetitions in the primary metric; None without repetitions."""
    comparison: Comparison | None
    """Comparison with its baseline; None for a baseline, without one, and where the constants differ."""
    retrieval: RetrievalQuality
    """Retrieval quality over all its rows."""
    latency: Latency = Latency()
    """Time to generate its answers, wherever they were generated."""
    metrics: tuple[MetricMean, ...]
    """Mean of each column over all its scored rows."""


class Alternative(Frozen):
    """The same analysis with another decision on missing or truncated answers."""

    decision: LocalizedText
    """The changed decision, in words."""
    mean_cps: tuple[float | None, ...]
    """Mean CPS of each configuration, in their order."""
    recommended: tuple[LocalizedText | None, ...]
    """Names of the recommended configurations, in the order of the conclusions."""


class SweepAnalysis(Frozen):
    """The analysis of a set of runs."""

    profile: VectorProfile
    """Definitions of the columns."""
    profile_label: str
    """Name of the profile; another encoder than the published one is named."""
    panel: str
    """Name of the panel."""
    normalisation: Normalisation = "min-max"
    """Bounds of the pools."""
    scope: Scope
    """Pool that determines minimum and maximum."""
    missing: MissingPolicy
    """Treatment of missing scores."""
    truncated: TruncatedPolicy
    """Treatment of truncated answers."""
    pools: tuple[Pool, ...]
    """One, or one per model or configuration."""
    constants: Constants | None = None
    """Constants of its one pool, or those that it is pinned to: another analysis can be pinned to them. None with
    several pools."""
    rule: VerdictRule
    """Rule by which gains are judged."""
    stability: TcpsWeights = PUBLISHED
    """Weights of T-CPS."""
    configurations: tuple[ConfigurationResult, ...]
    """Configurations in the order of the runs."""
    verdict: SweepVerdict
    """Conclusion of the sweep for each model."""
    standing: VerdictStatus | None = None
    """Status of the verdict: confirmatory by a registered plan, or not; None for an analysis of several sweeps."""
    alternatives: tuple[Alternative, ...]
    """Decisions that an exploratory analysis could change."""
    differing: tuple[DifferingField, ...] = ()
    """Every field of configuration and conditions that is not the same in all runs."""
    control: LocalizedText = ""
    """Differences between configurations and their baselines: `controlled: ...` or `confounded by ...`."""
    statements: tuple[LocalizedText, ...]
    """Computation of the figures, in sentences."""
    warnings: tuple[LocalizedText, ...]
    """Warnings to read before the figures are used."""


class ModelSummary(Frozen):
    """Conclusion of a sweep about one model, for a list."""

    model: LocalizedText
    """The model, with its prompt and temperature if several are compared."""
    verdict: Verdict
    """Its verdict."""
    judge: LocalizedText | None = None
    """Verdict by the judge and the evidence for the judge, if the primary metric is a judged one."""
    metric: str = CPS
    """The primary metric."""
    best: LocalizedText | None
    """Name of the recommended configuration, else of that with the best mean of the metric; None without a mean."""
    means: tuple[float | None, ...]
    """Mean CPS of its configurations, in order."""
    spread: MeasuredSpread | None = None
    """Largest spread of the paired differences in the metric, by question, among the configurations that are not worse
    than the baseline; None where no comparison with enough pairs has an interval."""


class SweepSummary(Frozen):
    """Conclusions of a sweep, for a list of sweeps."""

    models: tuple[ModelSummary, ...]
    """Summary of each model, in the order of the configurations; empty where nothing can be concluded."""
    is_computing: bool = False
    """True while the summary of a long sweep is being computed: ask again after some seconds."""

    @classmethod
    def of(cls, analysis: SweepAnalysis) -> SweepSummary:
        """Return the summary of an analysis, for lists of sweeps."""
        return cls(models=tuple(_summary(analysis, each) for each in analysis.verdict.conclusions))


def _summary(analysis: SweepAnalysis, conclusion: Conclusion) -> ModelSummary:
    results = [result for result in analysis.configurations if result.model == conclusion.model]
    metric = analysis.rule.primary
    means = [result.mean_cps if metric == CPS else result.mean_primary for result in results]
    known = [(mean, result.name) for mean, result in zip(means, results, strict=True) if mean is not None]
    highest = max(known, key=lambda item: item[0])[1] if known else None
    return ModelSummary(
        model=conclusion.model,
        verdict=conclusion.verdict,
        judge=conclusion.judge.heading if conclusion.judge else None,
        metric=metric,
        best=conclusion.verdict.recommended or highest,
        means=tuple(result.mean_cps for result in results),
        spread=measured_spread([each.comparison.judged for each in results if each.comparison is not None]),
    )


def measured_spread(judged: Sequence[FamilyGain]) -> MeasuredSpread | None:
    """Return the largest spread among the gains of a family; None without an interval of enough pairs."""
    usable = [each for each in judged if each.interval is not None and each.counted_pairs >= FEWEST_PAIRS]
    # What is clearly worse has the widest spread and needs no more questions, so no plan is made for it.
    kept = [each for each in usable if each.outcome != "worse"] or usable
    # The standard error is by cluster and weight, so that their effect on the number of questions is in the spread.
    found = [(each.standard_error or 0.0) * math.sqrt(each.counted_pairs) for each in kept]
    return MeasuredSpread(sd=max(found), critical=max(map(critical_value, kept))) if found else None
