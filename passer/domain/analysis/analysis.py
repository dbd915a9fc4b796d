"""What an analysis takes and what it says: configurations beside their baseline, with the pool behind each CPS."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, InstanceOf

from passer.domain.analysis.confounds import DifferingField
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.effort import AnswerEffort, Latency
from passer.domain.analysis.partial_gain import PartialGain
from passer.domain.analysis.pool import Pool
from passer.domain.base import Frozen
from passer.domain.composite import MissingPolicy
from passer.domain.retrieval_quality import QuestionRetrieval, RetrievalQuality
from passer.domain.run import EvaluationState, RunConfig
from passer.domain.score import Profile, ScoreRow
from passer.domain.statistics import Interval, NoTestReason
from passer.domain.wording.sentence import Said, Worded

Scope = Literal["all", "model", "run", "given"]
"""Whose rows give minimum and maximum: all runs, each model's, each configuration's own, or constants from before."""
TruncatedPolicy = Literal["keep", "exclude"]
"""A question with a truncated prompt or answer stays, or leaves every configuration."""
Family = Literal["analysis", "model"]
"""Over which comparisons p values are corrected: all of the analysis, or those of one model."""


class EvaluatedQuestion(Frozen):
    """One question of one run, as an analysis needs it."""

    question_id: str
    """What pairs it with other runs."""
    state: EvaluationState = "scored"
    """Only scored and failed questions enter."""
    scores: InstanceOf[ScoreRow] | None = None
    """Of its answer; None without one."""
    retrieval: QuestionRetrieval = QuestionRetrieval(kept=0)
    """What was kept for it."""
    truncated: Literal["prompt", "answer"] | None = None
    """What was cut, if anything."""
    prompt_digest: str | None = None
    """Of the prompt; None when nothing was asked."""
    effort: AnswerEffort | None = None
    """Of generating its answer; None when nothing was generated."""


class RunRows(Frozen):
    """A run with its questions."""

    run_id: str
    """Unique."""
    sweep_id: str = ""
    """Repetitions and baselines are looked for in the same sweep first."""
    sweep_name: str = ""
    """Of its sweep."""
    name: str
    """Shown in tables."""
    config: RunConfig
    """What it did."""
    is_baseline: bool = False
    """Whether others are compared with it."""
    dataset_digest: str | None = None
    """Version of the dataset; None where it is not known."""
    identity: dict[str, str] = Field(default_factory=dict)
    """What its scores depend on: encoder digest, limits, variants."""
    conditions: dict[str, str] = Field(default_factory=dict)
    """What else was so while it ran: digest and quantisation of the model, say."""
    questions: tuple[EvaluatedQuestion, ...]
    """In dataset order."""


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
    """A configuration against its baseline, paired by question."""

    baseline: str
    """Name of the baseline."""
    n_pairs: int
    """Questions that both have."""
    only_here: int
    """Questions left out because the baseline lacks them."""
    only_baseline: int
    """Questions left out because the configuration lacks them."""
    n_prompts_changed: int | None
    """Of the pairs, those whose prompt differs from the baseline's; None where repetitions make that unclear."""
    baseline_mean_cps: float | None
    """Of the baseline, over the pairs."""
    baseline_tcps: float | None
    """Of the baseline, over the pairs."""
    gain: float | None
    """Mean difference in CPS; .01 is one point."""
    ci: Interval | None
    """Of the gain, 95 %."""
    with_passages: PartialGain
    """Over the questions for which the configuration kept at least one passage, in any repetition."""
    without_passages: PartialGain
    """Over the questions for which it kept none."""
    improvement_pct: float | None
    """Gain in percent of the baseline's mean; moves with the pool."""
    tcps_improvement_pct: float | None
    """Gain in T-CPS, in percent of the baseline's."""
    balance: float | None
    """(T-CPS improvement % / 100) / CV."""
    t: float | None
    """Paired t statistic."""
    p: float | None
    """Two-sided, uncorrected."""
    p_holm: float | None
    """Corrected by Holm over the family."""
    p_bonferroni: float | None
    """Corrected by Bonferroni over the family."""
    p_benjamini_hochberg: float | None
    """Corrected by Benjamini and Hochberg over the family."""
    family_size: int
    """Comparisons in the family."""
    cohens_d: float | None
    """For pairs, ddof 1."""
    effect: str
    """negligible, small, medium or large; empty without a d."""
    stars: str
    """Of p_holm: `***` .001, `**` .01, `*` .05, `ns`; empty without a p."""
    reason: NoTestReason | None
    """Why there is no t, p and d."""


class ConfigurationResult(Frozen):
    """One configuration: a run, or its repetitions together."""

    name: str
    """Shown in tables."""
    model: str
    """Who answers, with prompt and temperature where several are compared."""
    policy: str
    """Which passages it sees."""
    threshold: float | None
    """Smallest similarity kept; None outside Score mode."""
    k: int | None
    """Most passages kept; None without retrieval."""
    is_baseline: bool
    """Whether others are compared with it."""
    run_ids: tuple[str, ...]
    """One, or one per repetition."""
    n: int
    """Questions in the composite, repetitions averaged."""
    n_excluded: int
    """Questions left out of the composite."""
    excluded: dict[str, int]
    """The questions left out by reason; `another_configuration` where it lost nothing itself."""
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
    """Over the questions paired with the baseline; over all of its own without one, and for the baseline itself."""
    ci: Interval | None
    """Of mean_cps, 95 %."""
    cv: float | None
    """Standard deviation / mean over the same questions, ddof 1: their difficulty and the instability together."""
    tcps: float | None
    """Mean rewarded for stability, over the same questions."""
    within_sd: float | None
    """Generation noise: standard deviation of CPS over repetitions of a question, pooled over the questions.

    sqrt(sum of squared deviations from each question's mean / (rows - questions)); None without repetitions.
    """
    within_cv: float | None
    """within_sd / mean over all of its own questions; None without repetitions or where the mean is not positive."""
    between_sd: float | None
    """Standard deviation over all of its own questions, each averaged over its repetitions; None below two.

    ddof 1. What noise the averaging leaves is in it: within_sd^2 / r with r repetitions, all of it without any.
    """
    between_cv: float | None
    """between_sd / mean over the same questions; None where the mean is not positive."""
    comparison: Comparison | None
    """With its baseline; None for a baseline, without one, and where the constants differ."""
    retrieval: RetrievalQuality
    """Over all its rows."""
    latency: Latency = Latency()
    """Of generating its answers, wherever they were generated."""
    metrics: tuple[MetricMean, ...]
    """All columns, over all its scored rows."""


class Recommendation(Frozen):
    """What to take, for one model."""

    model: str
    """For whom: the model, with its prompt and temperature where several are compared."""
    name: str | None
    """Name of the configuration; None where none is better than the baseline, or nothing could be compared."""
    reason: Said
    """Why, in one sentence."""


class Alternative(Frozen):
    """The same analysis with another decision on missing or truncated answers."""

    decision: Said
    """What is decided otherwise, in words."""
    mean_cps: tuple[float | None, ...]
    """Of each configuration, in their order."""
    recommended: tuple[str | None, ...]
    """Names of the recommended configurations, in the order of the recommendations."""


class SweepAnalysis(Worded):
    """What a set of runs shows."""

    profile: Profile
    """Definitions of the columns."""
    profile_label: str
    """The profile as it is shown: another encoder than the published one is said."""
    panel: str
    """Name of the panel."""
    scope: Scope
    """Where minimum and maximum come from."""
    missing: MissingPolicy
    """What happens to missing scores."""
    truncated: TruncatedPolicy
    """What happens to truncated answers."""
    pools: tuple[Pool, ...]
    """One, or one per model or configuration."""
    constants: Constants | None = None
    """Of its one pool, or those that it is pinned to: another analysis can be pinned to them. None where several."""
    configurations: tuple[ConfigurationResult, ...]
    """In the order of the runs."""
    recommendations: tuple[Recommendation, ...]
    """One per model."""
    alternatives: tuple[Alternative, ...]
    """Where a decision could be otherwise."""
    differing: tuple[DifferingField, ...] = ()
    """Every field of configuration and conditions that is not the same in all runs."""
    control: Said = ""
    """What differs between configurations and their baselines: `controlled: ...` or `confounded by ...`."""
    statements: tuple[Said, ...]
    """What the figures rest on, in sentences."""
    warnings: tuple[Said, ...]
    """What a reader must know before believing them."""
