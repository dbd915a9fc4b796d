"""Weighs the evidence of a study: every test of every gain, and what would change the result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from passer.domain.composite import Panel, coefficient_of_variation
from passer.domain.evidence.arms import Arm, ModelArms, by_model, side_by_side
from passer.domain.evidence.correlation import CorrelationTable, redundant_pairs
from passer.domain.evidence.found import (
    Evidence,
    GainTests,
    ModelEvidence,
    ModelInteraction,
    NormalisedGains,
)
from passer.domain.evidence.half_splits import SplitChoice, split_choice
from passer.domain.evidence.permutation import DRAWS, FlipTest, sign_flip_test
from passer.domain.evidence.power import minimum_detectable_difference, planned_questions, questions_needed
from passer.domain.evidence.rank_test import wilcoxon_test
from passer.domain.evidence.research_questions import OmnibusTest, gains_by_question, interaction_tests, omnibus_tests
from passer.domain.evidence.sensitivity import (
    NORMALISATIONS,
    GridSensitivity,
    WeightSensitivity,
    grid_sensitivity,
    normalise,
    weight_sensitivity,
)
from passer.domain.evidence.threshold_profile import ThresholdEffect, threshold_profile
from passer.domain.statistics import ByQuestion, Floats, Pairs, adjusted_p_values, pair_by_question, paired_t_test
from passer.domain.wording.sentence import Sentence, Value, sentence

LEVEL = 0.05
POINT = 0.01
"""One CPS point."""
SEED = 20_250_401
"""Any number would do; it is printed."""
_FEWEST_TO_SPLIT = 4


def weigh(
    arms: Sequence[Arm],
    panel: Panel,
    correlations: Sequence[tuple[str, CorrelationTable]],
    *,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Evidence:
    """All tests over one family: every threshold of every model that has a baseline."""
    models = by_model(arms)
    pairs = [pair_by_question(arm.cps, model.baseline.cps) for model in models for arm in model.arms]
    gains = [gains_by_question(arm.cps, model.baseline.cps) for model in models for arm in model.arms]
    flips = sign_flip_test(*side_by_side(gains), seed=seed, draws=draws)
    sides = [(arm, model.baseline) for model in models for arm in model.arms]
    tested = _tested(sides, pairs, flips)
    omnibus = omnibus_tests([[model.baseline.cps, *(arm.cps for arm in model.arms)] for model in models], seed=seed)
    of_models = tuple(
        _of_model(model, panel, [t for t in tested if t.model == model.model], test, seed=seed, family=len(tested))
        for model, test in zip(models, omnibus, strict=True)
    )
    return Evidence(
        seed=seed,
        draws=draws,
        resolution=flips.resolution,
        family_size=len(tested),
        comparisons=tested,
        models=of_models,
        interactions=tuple(_interactions(models, gains, seed=seed, draws=draws)),
        normalisations=tuple(_normalised(models, arms, panel)),
        correlations=tuple(correlations),
        redundant=redundant_pairs(correlations[0][1]) if correlations else (),
        statements=tuple(_statements(of_models, tested, flips)),
    )


def _tested(sides: Sequence[tuple[Arm, Arm]], pairs: Sequence[Pairs], flips: FlipTest) -> tuple[GainTests, ...]:
    tests = [paired_t_test(pair.values, pair.baseline) for pair in pairs]
    p = [test.p for test in tests]
    corrected = zip(
        adjusted_p_values(p, "holm"),
        adjusted_p_values(p, "bonferroni"),
        adjusted_p_values(p, "benjamini-hochberg"),
        strict=True,
    )
    found = []
    for place, (holm, bonferroni, benjamini_hochberg) in enumerate(corrected):
        pair, test, (arm, baseline) = pairs[place], tests[place], sides[place]
        found.append(
            GainTests(
                model=arm.model,
                threshold=arm.threshold or 0.0,
                n_pairs=test.n_pairs,
                gain=test.mean_difference,
                ci=test.ci,
                cohens_d=test.cohens_d,
                p_t=test.p,
                p_wilcoxon=wilcoxon_test(pair.values, pair.baseline).p,
                p_permutation=flips.p[place],
                p_max_t=flips.p_max_t[place],
                p_holm=holm,
                p_bonferroni=bonferroni,
                p_benjamini_hochberg=benjamini_hochberg,
                **_planning(pair, arm, baseline, alpha=LEVEL / len(pairs)),
                reason=test.reason,
            )
        )
    return tuple(found)


def _planning(pair: Pairs, arm: Arm, baseline: Arm, *, alpha: float) -> dict[str, Any]:
    """What these questions can find, and how many would find a point, or what else a study is planned for."""
    differences = pair.values - pair.baseline
    if differences.size < 2:
        return {"detectable": None, "spread": None, "questions_for_a_point": None, "noise": None, "planned": ()}
    spread = float(differences.std(ddof=1))
    noise, averaged = _noise(arm, baseline)
    return {
        "detectable": minimum_detectable_difference(spread=spread, n=differences.size, alpha=alpha),
        "spread": spread,
        "questions_for_a_point": questions_needed(gain=POINT, spread=spread, alpha=alpha),
        "noise": noise,
        "planned": planned_questions(spread=spread, noise=noise, averaged=averaged, alpha=alpha),
    }


def _noise(arm: Arm, baseline: Arm) -> tuple[float | None, float]:
    """Noise of one answer, both sides taken together, and the share of its variance that the repeats leave."""
    if arm.noise is None or baseline.noise is None:
        return None, 1.0
    variances = [side.noise**2 for side in (arm, baseline) if side.noise is not None]
    total = sum(variances)
    left = [float((1 / side.cps.counts).mean()) for side in (arm, baseline)]
    averaged = sum(v * share for v, share in zip(variances, left, strict=True)) / total if total else 1.0
    return float(np.sqrt(total / 2)), averaged


def _of_model(
    model: ModelArms, panel: Panel, tested: Sequence[GainTests], omnibus: OmnibusTest, *, seed: int, family: int
) -> ModelEvidence:
    complete = model.complete()
    questions = complete.shape[1]
    effects = [ThresholdEffect(threshold=item.threshold, gain=item.gain, p=item.p_max_t) for item in tested]
    return ModelEvidence(
        model=model.model,
        thresholds=model.thresholds,
        profile=threshold_profile(effects, level=LEVEL),
        omnibus=omnibus,
        choice=split_choice(complete[0], list(complete[1:]), panel, seed=seed, family_size=family)
        if questions >= _FEWEST_TO_SPLIT
        else None,
        grid=_grid(model),
        weights=_weights(complete, panel, seed) if questions else None,
    )


def _grid(model: ModelArms) -> tuple[GridSensitivity, ...]:
    pairs = [pair_by_question(arm.cps, model.baseline.cps).values for arm in model.arms]
    cvs = [coefficient_of_variation(values) for values in pairs]
    if any(cv is None for cv in cvs):
        return ()
    return grid_sensitivity(np.array([values.mean() for values in pairs]), np.array(cvs, dtype=np.float64))


def _weights(complete: Floats, panel: Panel, seed: int) -> WeightSensitivity:
    configurations, questions, metrics = complete.shape
    flat = normalise(complete.reshape(configurations * questions, metrics), panel, "min-max")
    return weight_sensitivity(list(flat.reshape(configurations, questions, metrics)), panel, seed=seed)


def _interactions(
    models: Sequence[ModelArms], gains: Sequence[ByQuestion], *, seed: int, draws: int
) -> list[ModelInteraction]:
    """Every pair of models, corrected over the thresholds that both have."""
    given = iter(gains)
    by_threshold = [{threshold: next(given) for threshold in model.thresholds} for model in models]
    found = []
    for one, other in combinations(range(len(models)), 2):
        shared = [threshold for threshold in models[one].thresholds if threshold in by_threshold[other]]
        tests = interaction_tests(
            [by_threshold[one][threshold] for threshold in shared],
            [by_threshold[other][threshold] for threshold in shared],
            seed=seed,
            draws=draws,
        )
        found += [
            ModelInteraction(first=models[one].model, second=models[other].model, threshold=threshold, test=test)
            for threshold, test in zip(shared, tests, strict=True)
        ]
    return found


def _normalised(models: Sequence[ModelArms], arms: Sequence[Arm], panel: Panel) -> list[NormalisedGains]:
    """Gains when the pool (all arms, a question once each) is normalised otherwise."""
    rows = np.concatenate([arm.scores for arm in arms]) if arms else np.empty((0, len(panel.metrics)))
    cuts = np.cumsum([len(arm.scores) for arm in arms])[:-1]
    found = []
    for method in NORMALISATIONS if models else ():
        parts = np.split(normalise(rows, panel, method) @ panel.weights, cuts)
        cps = {id(arm): part for arm, part in zip(arms, parts, strict=True)}
        gains: list[float | None] = []
        best: list[float | None] = []
        for model in models:
            own = [_mean_gain(arm, model.baseline, cps) for arm in model.arms]
            gains += own
            top = max(((gain, -place) for place, gain in enumerate(own) if gain is not None and gain > 0), default=None)
            best.append(None if top is None else model.thresholds[-top[1]])
        found.append(NormalisedGains(method=method, gains=tuple(gains), best=tuple(best)))
    return found


def _mean_gain(arm: Arm, baseline: Arm, cps: dict[int, Floats]) -> float | None:
    ones = [ByQuestion(ids=side.cps.ids, values=cps[id(side)], counts=side.cps.counts) for side in (arm, baseline)]
    pairs = pair_by_question(*ones)
    return float((pairs.values - pairs.baseline).mean()) if pairs.ids else None


def _statements(models: Sequence[ModelEvidence], tested: Sequence[GainTests], flips: FlipTest) -> list[Sentence]:
    if not tested:
        return [sentence("evidence.nothing")]
    said = [sentence("evidence.corrected", n=len(tested), draws=flips.draws, smallest=flips.resolution)]
    for model in models:
        profile = model.profile
        said.append(
            sentence(
                "evidence.profile",
                model=model.model,
                gains=len(profile.gains),
                tested=profile.tested,
                losses=len(profile.losses),
                kind=sentence(f"profile.{profile.kind}"),
            )
        )
        if model.choice is not None:
            said.append(_said_of_splits(model, model.choice))
    return said


def _said_of_splits(model: ModelEvidence, choice: SplitChoice) -> Sentence:
    """Which configuration most half splits take, and what the other halves confirm of its gain."""
    shares = [*choice.chosen_share, choice.baseline_share]
    most = int(np.argmax(shares))
    found: dict[str, Value] = {
        "model": model.model,
        "splits": choice.splits,
        "n": choice.n_questions,
        "share": shares[most],
        "gain": choice.confirmed_gain * 100,
        "low": choice.confirmed_range.low * 100,
        "high": choice.confirmed_range.high * 100,
        "optimism": choice.optimism * 100,
    }
    if most < len(model.thresholds):
        return sentence("evidence.splits-threshold", threshold=model.thresholds[most], **found)
    return sentence("evidence.splits-baseline", **found)
