"""The verdict of a sweep: which configuration to use, and how reliable that is.

The first that applies: no verdict yet, better, as good and cheaper, cannot tell, keep the baseline.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from passer.domain.base import Frozen, added_field
from passer.domain.composite import CPS
from passer.domain.score import VECTOR_ORDER
from passer.domain.statistics import DECIMALS
from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.corrected_gain import CorrectedGain
from passer.domain.verdict.family import FamilyGain, FamilyRule, NoInterval
from passer.domain.verdict.judged_rule import JudgedBy
from passer.domain.verdict.sample_size import detectable_difference, questions_needed
from passer.domain.verdict.two_looks import Looks
from passer.domain.wording.sentence import LocalizedText, sentence

FEWEST_PAIRS, FEWEST_CLUSTERS = 20, 6
"""Pairs and clusters below which nothing is decided: five clusters cannot reach p < .05."""

PRIMARY_METRICS = (CPS, *VECTOR_ORDER)
"""Primary metrics that need no judge."""


def check_metric(name: str) -> None:
    """Raise ValueError if a name is that of no primary metric that needs no judge."""
    if name not in PRIMARY_METRICS:
        raise ValueError(sentence("rule.not-a-metric", name=name, cps=CPS, columns=VECTOR_ORDER))


Cost = Literal["prompt_tokens", "passages", "seconds", "money"]
"""Measure of cost. Tokens of the prompt do not depend on the order of requests, tokens read do. Money is
the price of the tokens of prompts and answers, as if every question was asked for every configuration."""
Kind = Literal["no_verdict", "better", "as_good_cheaper", "cannot_tell", "keep_baseline"]
"""The verdicts, in the order in which they are tried."""
Missing = Literal["no_baseline", "baseline_unfinished", "too_few_pairs", "too_few_clusters", "failed_or_open"]
"""Conditions of a verdict that are not met."""
Lacking = Missing | Literal["judge_waits", "judge_bias"]
"""Conditions of a verdict that are not met. With a judge also: answers that it has not judged, or a bias that may
differ between the configurations."""
SINGLE_CRITICAL = 1.96
"""Critical value of one comparison, where the family has none yet."""


def check_price(cost: Cost | None, price: TokenPrice | None) -> None:
    """Raise ValueError unless there is a price exactly where cost is measured in money."""
    if cost == "money" and price is None:
        raise ValueError(sentence("rule.no-price"))
    if cost != "money" and price is not None:
        raise ValueError(sentence("rule.idle-price"))


class VerdictRule(FamilyRule):
    """Rule by which a sweep is judged; recorded before it starts. Changes made later are exploratory."""

    primary: str = CPS
    """Primary metric: CPS, one of the 24 columns, or with `judged_by` a judged column."""
    judged_by: JudgedBy | None = added_field(None)
    """The judge of a judged column; None for any other primary metric."""
    looks: Looks | None = None
    """Declared looks; None for one look at the end."""
    cost: Cost = "prompt_tokens"
    """Unit of cost by which configurations are cheaper."""
    price: TokenPrice | None = added_field(None)
    """Price of the tokens; only with the cost `money`."""
    saving: float = Field(default=0.1, gt=0, lt=1)
    """Smallest share of the baseline's cost that makes a configuration cheaper."""
    fewest_pairs: int = Field(default=FEWEST_PAIRS, ge=5)
    """Pairs below which there is no verdict."""
    fewest_clusters: int = Field(default=FEWEST_CLUSTERS, ge=6)
    """Clusters below which there is no verdict: five cannot reach p < .05."""
    most_missing: float = Field(default=0.1, ge=0, lt=1)
    """Share of failed or open questions of a configuration above which there is no verdict."""
    drops_unanswered: SkipJsonSchema[bool] = added_field(False)
    """True if a configuration without any answer is left out, as once in studies; only to verify such documents."""
    shares_names: SkipJsonSchema[bool] = added_field(False)
    """True if settings that differ in the collection alone share one name and one verdict, as once in studies; only to
    verify such documents."""

    @model_validator(mode="after")
    def _has_known_primary(self) -> VerdictRule:
        if self.judged_by is None:
            check_metric(self.primary)
        return self

    @model_validator(mode="after")
    def _has_a_price(self) -> VerdictRule:
        check_price(self.cost, self.price)
        return self


def decided(gain: FamilyGain) -> FamilyGain:
    """Return the gain, undecided where a verdict would have too few questions; interval and p stay as figures."""
    if gain.counted_pairs >= FEWEST_PAIRS and gain.clusters >= FEWEST_CLUSTERS:
        return gain
    return undecided(gain, reason="too_few")


def undecided(gain: FamilyGain, *, reason: NoInterval | None) -> FamilyGain:
    """Return the gain without the outcome of its interval, and with a reason unless it has one.

    A configuration that changes nothing stays `identical`, because that is no conclusion.
    """
    if gain.outcome == "identical":
        return gain
    return gain.model_copy(update={"outcome": "undecided", "reason": gain.reason or reason})


class Candidate(Frozen):
    """A configuration as the verdict sees it, compared with the baseline of its model and retriever."""

    id: LocalizedText
    """Unique within the sweep."""
    gain: FamilyGain
    """Its gain over the baseline."""
    tcps: float | None = None
    """T-CPS over the pairs; orders the better ones where the primary metric is CPS."""
    cost: float | None = None
    """Mean cost of a question; None where it was not measured."""
    baseline_cost: float | None = None
    """Mean cost of a question under the baseline."""
    planned: int = Field(ge=0)
    """Questions planned."""
    missing: int = Field(default=0, ge=0)
    """Questions that failed or are open."""

    @property
    def saved(self) -> float | None:
        """Return the saved share of the baseline's cost; negative if it costs more, None if either is unknown."""
        if self.cost is None or not self.baseline_cost:
            return None
        # Rounded, because 1 - .9 is .09999999999999998 in doubles, which a saving of .1 would refuse.
        return round(1 - self.cost / self.baseline_cost, 12)


class Baseline(Frozen):
    """State of the baseline."""

    planned: int = Field(ge=0)
    """Questions planned."""
    failed: int = Field(default=0, ge=0)
    """Questions without an answer or scores."""
    open: int = Field(default=0, ge=0)
    """Questions that are not done yet."""


class Verdict(Frozen):
    """Conclusions of a sweep."""

    kind: Kind
    """First verdict whose condition is true."""
    missing: tuple[Lacking, ...] = ()
    """Conditions that are not met; empty if there is a verdict."""
    recommended: LocalizedText | None = None
    """Configuration to use instead of the baseline; None where the baseline stays or nothing can be said."""
    corrected: CorrectedGain | None = None
    """The recommended one's gain, corrected for its having been chosen; only with `better`."""
    better: tuple[LocalizedText, ...] = ()
    """Configurations that are better than the baseline."""
    as_good: tuple[LocalizedText, ...] = ()
    """Configurations that are not worse by the margin or more."""
    worse: tuple[LocalizedText, ...] = ()
    """Configurations that are worse than the baseline."""
    undecided: tuple[LocalizedText, ...] = ()
    """Configurations that the questions do not decide."""
    detectable: float | None = None
    """Smallest difference that these questions find with power .8; only with `cannot_tell`."""
    questions_needed: int | None = None
    """Questions that decide at the margin with power .8; only with `cannot_tell`."""
    saved: float | None = None
    """Share of the baseline's cost that the recommended one saves; only with `as_good_cheaper`."""
    cost: Cost | None = None
    """Unit of the cost; None where it is unknown."""


def missing_for_verdict(
    candidates: Sequence[Candidate], rule: VerdictRule, *, baseline: Baseline | None
) -> tuple[Lacking, ...]:
    """Return what prevents a verdict."""
    if baseline is None:
        return ("no_baseline",)
    if rule.judged_by is not None and rule.judged_by.status == "waiting":
        # Nothing is compared before the judge has judged all answers: comparing some of them would be an interim look.
        return ("judge_waits",)
    found: list[Lacking] = []
    if baseline.open:
        found.append("baseline_unfinished")
    shares = [(each.missing, each.planned) for each in candidates]
    # The baseline counts like a configuration here: without its answers there are no pairs.
    if any(
        missing > rule.most_missing * planned for missing, planned in [(baseline.failed, baseline.planned), *shares]
    ):
        found.append("failed_or_open")
    if not candidates or min(each.gain.counted_pairs for each in candidates) < rule.fewest_pairs:
        found.append("too_few_pairs")
    elif min(each.gain.clusters for each in candidates) < rule.fewest_clusters:
        found.append("too_few_clusters")
    if rule.judged_by is not None and rule.judged_by.status == "biased":
        found.append("judge_bias")
    return tuple(found)


def recommended_among(candidates: Sequence[Candidate], rule: VerdictRule) -> Candidate | None:
    """Return the better configuration to use: highest T-CPS for CPS, else largest gain; of equal ones the cheaper."""
    better = [each for each in candidates if each.gain.outcome == "better"]
    return max(better, key=lambda each: _rank(each, rule), default=None)


def conclude(
    candidates: Sequence[Candidate],
    rule: VerdictRule,
    *,
    baseline: Baseline | None,
    corrected: CorrectedGain | None = None,
    cost: Cost | None = None,
) -> Verdict:
    """Return the verdict of a sweep's configurations.

    `corrected` belongs to `recommended_among` them; `cost` is what their costs were measured by.
    """
    missing = missing_for_verdict(candidates, rule, baseline=baseline)
    groups = {
        outcome: tuple(each.id for each in candidates if each.gain.outcome == outcome)
        for outcome in ("better", "as_good", "worse", "undecided")
    }
    # Return no outcomes: no page or table may show one next to a missing verdict.
    if missing:
        return Verdict(kind="no_verdict", missing=missing, cost=cost)
    best = recommended_among(candidates, rule)
    if best is not None:
        return Verdict(kind="better", recommended=best.id, corrected=corrected, cost=cost, **groups)
    cheap = [each for each in candidates if each.gain.outcome == "as_good" and (each.saved or 0) >= rule.saving]
    if cheap:
        # The larger gain decides between equal costs, then the order of the sweep.
        cheapest = min(cheap, key=lambda each: (each.cost or 0.0, -(each.gain.gain or 0.0)))
        return Verdict(kind="as_good_cheaper", recommended=cheapest.id, saved=cheapest.saved, cost=cost, **groups)
    undecided = [each for each in candidates if each.gain.outcome == "undecided"]
    if undecided:
        return Verdict(kind="cannot_tell", cost=cost, **groups, **_outlook(undecided, rule))
    return Verdict(kind="keep_baseline", cost=cost, **groups)


def _rank(candidate: Candidate, rule: VerdictRule) -> tuple[float, float]:
    # Rounded, so that configurations that differ by the rounding of a mean are equal, and the cheaper one is taken.
    value = candidate.tcps if rule.primary == CPS else candidate.gain.gain
    return -math.inf if value is None else round(value, DECIMALS), -(candidate.cost or 0.0)


def _outlook(undecided: Sequence[Candidate], rule: VerdictRule) -> dict[str, float | int]:
    """Return what the questions can find, and how many would decide, by the widest spread among the undecided."""
    widest = widest_spread([each.gain for each in undecided])
    if widest is None:
        return {}
    detectable, needed = plan_by_spread(widest, rule.margin)
    return {"detectable": detectable, "questions_needed": needed}


def plan_by_spread(gain: FamilyGain, margin: float) -> tuple[float, int]:
    """Return the smallest difference that the questions of a gain find with power .8, and the questions that find one
    of `margin`, both by the critical value of these questions.

    Planned by the spread, never by the observed gain, which was selected for being large (statistics of Miller 2024).
    """
    clusters, critical = gain.clusters, critical_value(gain)
    deviation = (gain.standard_error or 0.0) * math.sqrt(clusters)
    needed = questions_needed(margin=margin, difference_variance=deviation**2, critical=critical)
    detectable = detectable_difference(questions=clusters, standard_deviation=deviation, critical=critical)
    return detectable, math.ceil(needed * (gain.pairs / clusters))


def widest_spread(gains: Sequence[FamilyGain]) -> FamilyGain | None:
    """Return the gain with the largest standard error: plans are made for it. None if none has one."""
    known = [gain for gain in gains if gain.standard_error]
    return max(known, key=lambda gain: gain.standard_error or 0.0, default=None)


def critical_value(gain: FamilyGain) -> float:
    """Return the critical value of the family, from the width of the interval."""
    if gain.low is None or gain.gain is None or not gain.standard_error:
        return SINGLE_CRITICAL
    # The interval is gain - u SE, so this is u of the family, correlations of its comparisons included.
    return (gain.gain - gain.low) / gain.standard_error
