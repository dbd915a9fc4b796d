"""Computes the evidence of a study: every test of every gain, and the sensitivity of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from passer.domain.analysis.gains import Spread, largest
from passer.domain.analysis.levels import Level
from passer.domain.analysis.question_table import Pairs, QuestionTable
from passer.domain.composite import PUBLISHED, Normalisation, TcpsWeights, normalised_within
from passer.domain.evidence.correlation import CorrelationTable, redundant_pairs
from passer.domain.evidence.families import THRESHOLDS, Family, families
from passer.domain.evidence.half_splits import split_choice
from passer.domain.evidence.level_profile import LevelEffect, level_profile
from passer.domain.evidence.permutation import DRAWS, FlipTest, sign_flip_test
from passer.domain.evidence.power import minimum_detectable_difference, planned_questions, questions_needed
from passer.domain.evidence.research_questions import OmnibusTest, interaction_tests, omnibus_tests
from passer.domain.evidence.results import Evidence, GainTests, ModelEvidence, ModelInteraction, NormalisedGains
from passer.domain.evidence.sensitivity import (
    NORMALISATIONS,
    GridSensitivity,
    WeightSensitivity,
    grid_sensitivity,
    normalise,
    weight_sensitivity,
)
from passer.domain.evidence.statements import statements_of
from passer.domain.panel import Panel
from passer.domain.statistics import Floats, adjusted_by_each, mean_of, paired_t_test, standard_error, wilcoxon_test

LEVEL = 0.05
POINT = 0.01
"""One CPS point."""
SEED = 20_250_401
"""Any number would do; it is printed."""
_FEWEST_TO_SPLIT = 4


class _Scale(NamedTuple):
    """Parts of CPS that a computation over some questions needs."""

    panel: Panel
    normalisation: Normalisation
    stability: TcpsWeights


def gather_evidence(
    table: QuestionTable,
    panel: Panel,
    correlations: Sequence[tuple[str, CorrelationTable]],
    *,
    factors: Sequence[str] = THRESHOLDS,
    normalisation: Normalisation = "min-max",
    stability: TcpsWeights = PUBLISHED,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Evidence:
    """Return all tests of one family: all levels of the factors of all models with a baseline.

    The table's metrics are CPS and those of the panel; `normalisation` is that of its pool. If the questions have
    weights, gains, t-tests and sign flips are weighted; what has no weighted form is named among the statements.
    """
    models = families(table, factors)
    comparisons = [pair for model in models for pair in model.comparisons]
    flips = sign_flip_test(table.gains(comparisons), seed=seed, draws=draws, weights=table.weights)
    tested = _tested(table, models, flips)
    omnibus = omnibus_tests([table.wide(model.places) for model in models], seed=seed)
    of_models = tuple(
        _of_model(table, model, _Scale(panel, normalisation, stability), tested, test, seed=seed)
        for model, test in zip(models, omnibus, strict=True)
    )
    return Evidence(
        seed=seed,
        draws=draws,
        resolution=flips.resolution,
        factors=tuple(factors),
        family_size=len(tested),
        comparisons=tested,
        models=of_models,
        interactions=tuple(_interactions(table, models, seed=seed, draws=draws)),
        normalisations=tuple(_normalised(table, models, panel)),
        correlations=tuple(correlations),
        redundant=redundant_pairs(correlations[0][1]) if correlations else (),
        statements=tuple(
            statements_of(of_models, tested, flips, tuple(factors), is_weighted=table.weights is not None)
        ),
    )


def _tested(table: QuestionTable, models: Sequence[Family], flips: FlipTest) -> tuple[GainTests, ...]:
    members = [
        (model, member, levels) for model in models for member, levels in zip(model.members, model.levels, strict=True)
    ]
    pairs = [table.pairs(member, model.baseline) for model, member, _ in members]
    tests = [paired_t_test(pair.values, pair.baseline, pair.weights) for pair in pairs]
    corrected = adjusted_by_each([test.p for test in tests])
    return tuple(
        GainTests(
            model=model.model,
            levels=dict(levels),
            n_pairs=test.n_pairs,
            gain=test.mean_difference,
            ci=test.ci,
            cohens_d=test.cohens_d,
            p_t=test.p,
            p_wilcoxon=wilcoxon_test(pair.values, pair.baseline).p,
            p_permutation=flips.p[place],
            p_max_t=flips.p_max_t[place],
            p_holm=corrected["holm"][place],
            p_bonferroni=corrected["bonferroni"][place],
            p_benjamini_hochberg=corrected["benjamini-hochberg"][place],
            # Planned by Bonferroni: the steps of Holm depend on p values that a future study does not have yet.
            **_planning(pair, _noise(table, member, model.baseline), alpha=LEVEL / len(pairs)),
            reason=test.reason,
        )
        for place, ((model, member, levels), pair, test) in enumerate(zip(members, pairs, tests, strict=True))
    )


def _planning(pair: Pairs, noise: tuple[float | None, float], *, alpha: float) -> dict[str, Any]:
    """Compute the gain that these questions can detect, and the number of questions that detects a planned gain."""
    differences = pair.differences
    if differences.size < 2:
        return {"detectable": None, "spread": None, "questions_for_a_point": None, "noise": None, "planned": ()}
    if pair.weights is None:
        spread = float(differences.std(ddof=1))
    else:
        # The SD with which equally weighted questions would have this standard error: uneven weights need more.
        spread = standard_error(differences, pair.weights) * float(np.sqrt(differences.size))
    return {
        "detectable": minimum_detectable_difference(spread=spread, n=differences.size, alpha=alpha),
        "spread": spread,
        "questions_for_a_point": questions_needed(gain=POINT, spread=spread, alpha=alpha),
        "noise": noise[0],
        "planned": planned_questions(spread=spread, noise=noise[0], averaged=noise[1], alpha=alpha),
    }


def _noise(table: QuestionTable, *places: int) -> tuple[float | None, float]:
    """Return the noise of one answer, both sides together, and the share of its variance that the repetitions leave."""
    repeats = [table.repeats[table.cells(place)] for place in places]
    # A few questions that occur twice by accident are no repetition.
    if any(not own.size or 2 * (own > 1).sum() < own.size for own in repeats):
        return None, 1.0
    variances = [(table.within_sd(place) or 0.0) ** 2 for place in places]
    total = sum(variances)
    left = [float((1 / own).mean()) for own in repeats]
    averaged = sum(v * share for v, share in zip(variances, left, strict=True)) / total if total else 1.0
    return float(np.sqrt(total / 2)), averaged


def _of_model(
    table: QuestionTable,
    model: Family,
    scale: _Scale,
    tested: Sequence[GainTests],
    omnibus: OmnibusTest,
    *,
    seed: int,
) -> ModelEvidence:
    complete = table.complete(model.places)[:, :, 1:]
    questions = complete.shape[1]
    effects = [
        LevelEffect(levels=item.levels, gain=item.gain, p=item.p_max_t) for item in tested if item.model == model.model
    ]
    return ModelEvidence(
        model=model.model,
        levels=tuple(dict(levels) for levels in model.levels),
        profile=level_profile(effects, level=LEVEL),
        omnibus=omnibus,
        choice=split_choice(
            complete[0],
            list(complete[1:]),
            scale.panel,
            normalisation=scale.normalisation,
            seed=seed,
            family_size=len(tested),
            stability=scale.stability,
        )
        # Of fewer questions one half would be a single one, which has no spread.
        if questions >= _FEWEST_TO_SPLIT
        else None,
        grid=_grid(table, model),
        weights=_weights(complete, scale, seed) if questions else None,
    )


def _grid(table: QuestionTable, model: Family) -> tuple[GridSensitivity, ...]:
    pairs = [table.pairs(*comparison) for comparison in model.comparisons]
    spreads = [Spread.of(pair.values, pair.weights) for pair in pairs]
    # A mean of 0 has no coefficient of variation, and ranks of some configurations would not be those of all.
    if any(spread.cv is None for spread in spreads):
        return ()
    means, cvs = np.array([(spread.mean, spread.cv) for spread in spreads], dtype=np.float64).T
    return grid_sensitivity(means, cvs)


def _weights(complete: Floats, scale: _Scale, seed: int) -> WeightSensitivity:
    pool = complete.reshape(-1, complete.shape[-1])
    return weight_sensitivity(
        normalised_within(complete, scale.panel, pool, scale.normalisation), scale.panel, seed=seed
    )


def _interactions(table: QuestionTable, models: Sequence[Family], *, seed: int, draws: int) -> list[ModelInteraction]:
    """Every pair of models, corrected over the levels that both have."""
    found = []
    for one, other in combinations(models, 2):
        shared = one.shared(other)
        gains = table.gains(one.at(shared)), table.gains(other.at(shared))
        tests = interaction_tests(*gains, seed=seed, draws=draws, weights=table.weights)
        found += [
            ModelInteraction(first=one.model, second=other.model, levels=dict(levels), test=test)
            for levels, test in zip(shared, tests, strict=True)
        ]
    return found


def _normalised(table: QuestionTable, models: Sequence[Family], panel: Panel) -> list[NormalisedGains]:
    """Gains when the pool (all tested configurations and baselines, a question once each) is normalised otherwise."""
    used = np.zeros(len(table.values), dtype=bool)
    for place in {place for model in models for place in model.places}:
        used[table.cells(place)] = True
    pool, found = table.values[used, 1:], []
    for method in NORMALISATIONS if models else ():
        values = np.full((len(used), 1), np.nan)
        values[used, 0] = normalise(pool, panel, method) @ panel.weights
        normalised = replace(table, values=values)
        gains = [[_mean_gain(normalised.pairs(*pair)) for pair in model.comparisons] for model in models]
        found.append(
            NormalisedGains(
                method=method,
                gains=tuple(gain for own in gains for gain in own),
                best=tuple(_best(model, own) for model, own in zip(models, gains, strict=True)),
            )
        )
    return found


def _mean_gain(pair: Pairs) -> float | None:
    return mean_of(pair.differences, pair.weights)


def _best(model: Family, gains: Sequence[float | None]) -> dict[str, Level] | None:
    place = largest(gains)
    return None if place is None else dict(model.levels[place])
