"""The evidence of a whole study: the parts are wired to the right numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from passer.domain.composite import Panel, PanelMetric
from passer.domain.evidence.arms import Arm, arm_of, by_model
from passer.domain.evidence.correlation import rank_correlations
from passer.domain.evidence.power import questions_needed
from passer.domain.evidence.weighing import weigh
from passer.domain.sheets.procedures import analyse_sheets
from passer.domain.statistics import adjusted_p_values
from tests.domain.sheets.test_procedures import read_folder
from tests.phase3_sheets import MODELS

PANEL = Panel(name="one", metrics=(PanelMetric(metric="METEOR", weight=1.0),))
GAINS = {"m": {0.5: 0.0, 0.6: 0.1}, "o": {0.5: 0.1, 0.6: 0.1}}


def study(n: int = 40) -> list[Arm]:
    """CPS is METEOR; o's baseline lacks one question, and every arm has one twice."""
    rng = np.random.default_rng(3)
    level = rng.uniform(0.2, 0.7, size=n)
    arms = []
    for model, gains in GAINS.items():
        for threshold, gain in {None: 0.0, **gains}.items():
            values = np.clip(level + gain + rng.normal(0, 0.03, size=n), 0, 1)
            keys = [f"q{place}" for place in range(n)]
            if (model, threshold) == ("o", None):
                keys, values = keys[1:], values[1:]
            twice, more = [*keys, "q5"], np.r_[values, values[keys.index("q5")] + 0.01]
            arms.append(arm_of(model, threshold, keys=twice, cps=more, scores=more[:, None]))
    return arms


@pytest.fixture(scope="module")
def evidence():
    arms = study()
    table = rank_correlations(("METEOR",), arms[0].scores)
    return weigh(arms, PANEL, [("all models", table)], seed=1, draws=2_000)


def test_arms_average_a_question_and_models_need_a_baseline():
    arms = study()
    assert arms[0].cps.repeated == 1
    assert arms[0].scores[5, 0] == pytest.approx(arms[0].cps.values[5])
    [m, o] = by_model(arms)
    assert (m.thresholds, m.complete().shape, o.complete().shape) == ((0.5, 0.6), (3, 40, 1), (3, 39, 1))
    assert by_model([arm for arm in arms if arm.threshold is not None]) == []


def test_every_gain_has_every_test(evidence):
    assert [(item.model, item.threshold) for item in evidence.comparisons] == [
        ("m", 0.5), ("m", 0.6), ("o", 0.5), ("o", 0.6),
    ]  # fmt: skip
    arms = {(arm.model, arm.threshold): dict(zip(arm.cps.ids, arm.cps.values, strict=True)) for arm in study()}
    p = []
    for item in evidence.comparisons:
        here, base = arms[item.model, item.threshold], arms[item.model, None]
        shared = [question for question in here if question in base]
        differences = np.array([here[question] - base[question] for question in shared])
        assert item.n_pairs == len(shared)
        assert item.gain == pytest.approx(differences.mean())
        assert item.p_t == pytest.approx(stats.ttest_1samp(differences, 0.0).pvalue)
        assert item.p_wilcoxon == pytest.approx(stats.wilcoxon(differences, zero_method="pratt").pvalue)
        assert item.spread == pytest.approx(differences.std(ddof=1))
        assert item.detectable is not None
        more = questions_needed(gain=item.detectable, spread=item.spread, alpha=0.05 / 4)
        assert abs(more - len(shared)) <= 1, "so many questions find what they can just find"
        assert item.questions_for_a_point == questions_needed(gain=0.01, spread=item.spread, alpha=0.05 / 4)
        p.append(item.p_t)
    assert [item.p_holm for item in evidence.comparisons] == pytest.approx(adjusted_p_values(p, "holm"))
    assert evidence.family_size == 4
    assert evidence.comparisons[0].p_max_t > 0.05 > evidence.comparisons[1].p_max_t


def test_models_are_judged_one_by_one(evidence):
    m, o = evidence.models
    assert (m.profile.gains, m.profile.kind) == ((0.6,), "broad")
    assert o.profile.gains == (0.5, 0.6)
    assert m.choice.best == 1
    assert m.choice.chosen_share == (0.0, 1.0)
    assert m.omnibus.p < 0.01
    assert (m.omnibus.n_questions, o.omnibus.n_questions) == (40, 39)
    assert m.weights.best_share == (0.0, 0.0, 1.0)
    assert [item.rank for item in m.grid] == [2, 1]


def test_models_differ_only_where_the_interaction_says_so(evidence):
    found = {item.threshold: item.test for item in evidence.interactions}
    assert {(item.first, item.second) for item in evidence.interactions} == {("m", "o")}
    assert found[0.5].difference == pytest.approx(-0.1, abs=0.03)
    assert found[0.5].p_max_t < 0.01
    assert found[0.6].p_max_t > 0.05
    assert found[0.5].n_questions == 39


def test_other_normalisations_give_the_same_best(evidence):
    assert [item.method for item in evidence.normalisations] == ["min-max", "winsorised", "log-perplexity", "rank"]
    assert {item.best[0] for item in evidence.normalisations} == {0.6}


def test_without_a_baseline_it_says_that_nothing_is_compared():
    arms = [arm for arm in study() if arm.threshold is not None]
    found = weigh(arms, PANEL, [], seed=1, draws=10)
    assert (found.comparisons, found.models, found.interactions, found.normalisations) == ((), (), (), ())
    assert found.statements == ("Nothing is compared, because no model has a baseline.",)


def test_the_evidence_of_the_public_record_agrees_with_its_figures(test_data: Path) -> None:
    analysis = analyse_sheets(read_folder(test_data / "phase3-sheets"), "corrected", labels=MODELS)
    assert analysis.evidence is not None
    figures = [item for item in analysis.configurations if item.threshold is not None]
    for figure, tested in zip(figures, analysis.evidence.comparisons, strict=True):
        assert (figure.model, figure.threshold, figure.n_pairs) == (tested.model, tested.threshold, tested.n_pairs)
        assert tested.p_t == pytest.approx(figure.p_value)
        assert tested.cohens_d == pytest.approx(figure.cohens_d)
    pooled = analysis.evidence.correlations[0][1]
    assert (len(pooled.columns), pooled.n) == (24, 8158)
    same = {(pair.one, pair.other) for pair in analysis.evidence.redundant}
    assert ("Cosine similarity", "B-RT.relevance") in same
    assert analyse_sheets(read_folder(test_data / "phase3-sheets"), "published").evidence is None
