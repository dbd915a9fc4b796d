"""The verdict of each model's configurations, from the one table of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypedDict, get_args

import numpy as np

from passer.domain.analysis.analysis import ConfigurationResult
from passer.domain.analysis.composites import Composites
from passer.domain.analysis.gains import Spread
from passer.domain.composite import TcpsWeights, composites_by_part
from passer.domain.statistics import DECIMALS, Floats
from passer.domain.verdict.corrected_gain import CorrectedGain, Indices, corrected_gain
from passer.domain.verdict.family import FamilyGain, FamilyRule
from passer.domain.verdict.verdict import (
    Baseline,
    Candidate,
    Cost,
    Verdict,
    VerdictRule,
    conclude,
    missing_for_verdict,
    recommended_among,
)
from passer.services.analysis.comparability import Group
from passer.services.analysis.verdict.primary_metric import PrimaryMetric


class _Halves(TypedDict):
    """Arguments of `corrected_gain` that are the same for every primary metric."""

    clusters: Sequence[int]
    weights: Floats | None
    seed: int


def judged(primary: PrimaryMetric, against: Mapping[int, int], rule: FamilyRule) -> dict[int, FamilyGain]:
    """Judge every comparison of a sweep as one family, by place of the configuration."""
    comparisons = tuple(against.items())
    gains = primary.family(comparisons, rule) if comparisons else ()
    return {place: gain for (place, _), gain in zip(comparisons, gains, strict=True)}


def verdict_of(
    groups: Sequence[Group],
    found: Composites,
    primary: PrimaryMetric,
    results: Sequence[ConfigurationResult],
    against: Mapping[int, int],
    members: Sequence[int],
    *,
    rule: VerdictRule,
    corrects: bool = True,
) -> Verdict:
    """Return the verdict of some configurations; those without a comparison only lack a baseline.

    With `corrects` the gain of the recommended one is corrected for its having been chosen.
    """
    compared = [place for place in members if place in against]
    cost, costs = costs_of(groups, members, rule, found.rows.weights)
    candidates = [_candidate(groups, results, place, against[place], costs) for place in compared]
    bases = {against[place] for place in compared} or {place for place in members if results[place].is_baseline}
    baseline = _baseline(groups, bases) if bases else None
    corrected = None
    best = recommended_among(candidates, rule)
    is_wanted = corrects and best is not None and primary.is_by_question
    if is_wanted and not missing_for_verdict(candidates, rule, baseline=baseline):
        corrected = _corrected(found, primary, [*bases, *compared], rule) if len(bases) == 1 else None
    return conclude(candidates, rule, baseline=baseline, corrected=corrected, cost=cost)


def _candidate(
    groups: Sequence[Group],
    results: Sequence[ConfigurationResult],
    place: int,
    base: int,
    costs: Mapping[int, float],
) -> Candidate:
    comparison = results[place].comparison
    if comparison is None:
        raise ValueError("a candidate has been compared with its baseline")
    planned, failed, waiting = counts_of(groups[place])
    return Candidate(
        id=results[place].name,
        gain=comparison.judged,
        tcps=results[place].tcps,
        cost=costs.get(place),
        baseline_cost=costs.get(base),
        planned=planned,
        missing=failed + waiting,
    )


def _baseline(groups: Sequence[Group], places: set[int]) -> Baseline:
    planned, failed, waiting = np.sum([counts_of(groups[place]) for place in places], axis=0).tolist()
    return Baseline(planned=planned, failed=failed, open=waiting)


def counts_of(group: Group) -> tuple[int, int, int]:
    """Return planned, failed and open questions over the repeats of a configuration."""
    states = [item.state for run in group.runs for item in run.questions]
    planned = sum(len(run.questions) if run.planned is None else run.planned for run in group.runs)
    failed = states.count("failed")
    return planned, failed, planned - failed - states.count("scored")


def costs_of(
    groups: Sequence[Group], members: Sequence[int], rule: VerdictRule, weights: Mapping[str, float]
) -> tuple[Cost | None, dict[int, float]]:
    """Return the mean cost of each configuration by one measure: that of the rule, else passages.

    Models without tokens, such as the built-in reader, still read passages. `weights` are those of the questions, empty
    where all are equal.
    """
    for measure in dict.fromkeys((rule.cost, "passages")):
        found = {place: groups[place].costs.mean(measure, rule.price, weights) for place in members}
        costs = {place: value for place, value in found.items() if value is not None}
        if len(costs) == len(found) and any(costs.values()):
            return measure, costs
    return None, {}


def known_costs(group: Group, rule: VerdictRule, weights: Mapping[str, float]) -> dict[Cost, float]:
    """Return the mean cost of a question by every measure that all answers record, that of the rule first."""
    measures = dict.fromkeys((rule.cost, *get_args(Cost)))
    found = {measure: group.costs.mean(measure, rule.price, weights) for measure in measures}
    return {measure: value for measure, value in found.items() if value is not None}


def _corrected(
    found: Composites, primary: PrimaryMetric, places: Sequence[int], rule: VerdictRule
) -> CorrectedGain | None:
    """Return the gain of the best configuration, corrected for having been chosen; `places` begins with the baseline.

    None with too few questions that all have.
    """
    values = primary.complete(places)
    given: _Halves = {
        "clusters": primary.clusters_of(places),
        "weights": primary.weights_of(places),
        "seed": rule.seed,
    }
    if not primary.is_cps:
        return corrected_gain(values, lambda half: values[:, half], _largest_gain, **given)
    highest = partial(_highest_tcps, stability=found.rules.stability)
    if found.rules.constants is not None:
        return corrected_gain(values, lambda half: values[:, half], highest, **given)
    pool = primary.of_tested(places, found.questions.complete(places))[:, :, 1:]
    composites = composites_by_part(pool, found.panel, found.rules.normalisation)

    def scores(half: Indices) -> Floats:
        return composites(half).take(half, axis=1)

    return corrected_gain(values, scores, highest, **given)


def _largest_gain(values: Floats, weights: Floats | None) -> int:
    """Return the configuration with the highest mean, the first of equal ones; the baseline comes first."""
    means = values[1:].mean(axis=1) if weights is None else values[1:] @ weights / weights.sum()
    return 1 + int(np.argmax(np.round(means, DECIMALS)))


def _highest_tcps(cps: Floats, weights: Floats | None, *, stability: TcpsWeights) -> int:
    """Return the configuration with the highest T-CPS, the first of equal ones; the baseline comes first in `cps`."""
    found = [Spread.of(values, weights, stability=stability).tcps for values in cps[1:]]
    return 1 + int(np.argmax([-np.inf if value is None else round(value, DECIMALS) for value in found]))
