"""The verdict of each model's configurations, from the one table of questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from passer.domain.analysis.analysis import ConfigurationResult
from passer.domain.analysis.composites import Composites
from passer.domain.composite import coefficient_of_variation, normalised_within, tcps
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
) -> Verdict:
    """Return the verdict of some configurations; those without a comparison only lack a baseline."""
    compared = [place for place in members if place in against]
    cost, costs = costs_of(groups, members, rule.cost)
    candidates = [_candidate(groups, results, place, against[place], costs) for place in compared]
    bases = {against[place] for place in compared} or {place for place in members if results[place].is_baseline}
    baseline = _baseline(groups, bases) if bases else None
    corrected = None
    best = recommended_among(candidates, rule)
    if best is not None and not missing_for_verdict(candidates, rule, baseline=baseline):
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


def costs_of(groups: Sequence[Group], members: Sequence[int], wanted: Cost) -> tuple[Cost | None, dict[int, float]]:
    """Return the cost of each configuration by one measure: the wanted one, else passages.

    Models without tokens, such as the built-in reader, still read passages.
    """
    for measure in dict.fromkeys((wanted, "passages")):
        found = {place: _cost(groups[place], measure) for place in members}
        costs = {place: value for place, value in found.items() if value is not None}
        if len(costs) == len(found) and any(costs.values()):
            return measure, costs
    return None, {}


def _cost(group: Group, measure: Cost) -> float | None:
    """Return the mean cost of a question; a question that asked no model costs nothing, None where it is unknown."""
    items = [item for run in group.runs for item in run.questions if item.state == "scored"]
    if not items:
        return None
    if measure == "passages":
        return float(np.mean([item.retrieval.kept for item in items]))
    asked = [item.effort for item in items if item.prompt_digest is not None]
    known = [
        effort.generation_s if measure == "seconds" else effort.prompt_tokens for effort in asked if effort is not None
    ]
    costs = [value for value in known if value is not None]
    return float(np.sum(costs)) / len(items) if len(costs) == len(asked) else None


def _corrected(
    found: Composites, primary: PrimaryMetric, places: Sequence[int], rule: VerdictRule
) -> CorrectedGain | None:
    """Return the gain of the best configuration, corrected for having been chosen; `places` begins with the baseline.

    None with too few questions that all have.
    """
    values = primary.complete(places)
    clusters = primary.clusters_of(places)
    if not primary.is_cps:
        return corrected_gain(values, lambda half: values[:, half], _largest_gain, clusters=clusters, seed=rule.seed)
    if found.rules.constants is not None:
        return corrected_gain(values, lambda half: values[:, half], _highest_tcps, clusters=clusters, seed=rule.seed)
    pool, panel = primary.of_tested(places, found.questions.complete(places))[:, :, 1:], found.panel

    def scores(half: Indices) -> Floats:
        here = pool[:, half]
        own = here.reshape(-1, here.shape[-1])
        return normalised_within(here, panel, own, found.rules.normalisation) @ panel.weights

    return corrected_gain(values, scores, _highest_tcps, clusters=clusters, seed=rule.seed)


def _largest_gain(values: Floats) -> int:
    """Return the configuration with the highest mean, the first of equal ones; the baseline comes first."""
    return 1 + int(np.argmax(np.round(values[1:].mean(axis=1), DECIMALS)))


def _highest_tcps(cps: Floats) -> int:
    """Return the configuration with the highest T-CPS, the first of equal ones; the baseline comes first in `cps`."""
    found = [tcps(mean=float(values.mean()), cv=coefficient_of_variation(values)) for values in cps[1:]]
    return 1 + int(np.argmax([-np.inf if value is None else round(value, DECIMALS) for value in found]))
