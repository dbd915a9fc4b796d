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
from passer.domain.evidence.tables import evidence_tables
from passer.domain.evidence.weighing import weigh
from passer.domain.reports.meaning import limits, meaning
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


def test_planning_is_a_table_by_gain_and_says_that_nothing_is_known_of_repeats(evidence):
    table = evidence_tables(evidence)["planning"]
    assert len(table.rows) == 4
    for item, row in zip(evidence.comparisons, table.rows, strict=True):
        cells = dict(zip(table.columns, row, strict=True))
        assert (cells["model"], cells["threshold"], cells["repeats"]) == (item.model, item.threshold, 1)
        assert cells["alpha"] == pytest.approx(0.05 / 4)
        assert cells["questions_for_1_points"] == item.questions_for_a_point
        wanted = questions_needed(gain=0.05, spread=item.spread, alpha=0.05 / 4)
        assert cells["questions_for_5_points"] == wanted
        assert "no repeats" in cells["basis"]
    assert sum("no repeats" in sentence for sentence in limits(evidence)) == 2, "once a model"


def test_planning_takes_the_noise_of_a_pilot_with_repeats():
    rng = np.random.default_rng(8)
    keys = [f"q{place}" for place in range(2_000)] * 3
    level = np.tile(rng.uniform(0.3, 0.6, size=2_000), 3)
    arms = []
    for threshold, gain in ((None, 0.0), (0.5, 0.02)):
        own = np.tile(rng.normal(gain, 0.02, size=2_000), 3)
        cps = level + own + rng.normal(0, 0.04, size=6_000)
        arms.append(arm_of("m", threshold, keys=keys, cps=cps, scores=cps[:, None]))
    assert [arm.noise for arm in arms] == [pytest.approx(0.04, rel=0.05)] * 2
    found = weigh(arms, PANEL, [], seed=1, draws=50)
    [item] = found.comparisons
    assert item.noise == pytest.approx(0.04, rel=0.05)
    between = 2 * 0.02**2
    wanted = [np.sqrt(between + 2 * 0.04**2 / times) for times in (1, 3, 5)]
    assert [plan.spread for plan in item.planned] == pytest.approx(wanted, rel=0.06)
    assert item.planned[1].spread == pytest.approx(item.spread), "the pilot asked three times itself"
    table = evidence_tables(found)["planning"]
    assert [row[table.columns.index("repeats")] for row in table.rows] == [1, 3, 5]
    [said] = [sentence for sentence in limits(found) if "asked 5 times" in sentence]
    assert f"{item.planned[2].questions[0]:,} for 0.5" in said
    assert "no repeats" not in said


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


def test_it_is_said_when_halves_choose_otherwise_than_all_questions(evidence):
    m = evidence.models[0]
    assert any("most often takes threshold 0.6 (100% of 200 splits), as over all" in item for item in meaning(evidence))
    choice = m.choice.model_copy(update={"chosen_share": (0.2, 0.3), "baseline_share": 0.5})
    other = evidence.model_copy(update={"models": (m.model_copy(update={"choice": choice}),)})
    [said] = [item for item in meaning(other) if "most often" in item]
    assert "takes the baseline (50% of 200 splits), but over all of them it takes threshold 0.6" in said
    assert "highest T-CPS" in said


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
