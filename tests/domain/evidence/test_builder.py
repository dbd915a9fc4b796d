"""The evidence of a whole study: the parts are wired to the right numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from passer.domain.analysis.levels import level_text, threshold_of
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.score_rows import Configuration
from passer.domain.evidence.builder import gather_evidence
from passer.domain.evidence.correlation import rank_correlations
from passer.domain.evidence.families import families
from passer.domain.evidence.power import questions_needed
from passer.domain.evidence.results import GainTests, ModelInteraction
from passer.domain.evidence.tables import evidence_tables
from passer.domain.panel import Panel, PanelMetric
from passer.domain.reports.meaning import limits, meaning
from passer.domain.sheets.procedures import analyse_sheets
from passer.domain.statistics import adjusted_p_values
from tests.domain.sheets.test_procedures import read_folder
from tests.domain.sheets.test_published_record import averaged
from tests.phase3_sheets import MODELS

PANEL = Panel(name="one", metrics=(PanelMetric(metric="METEOR", weight=1.0),))
GAINS = {"m": {0.5: 0.0, 0.6: 0.1}, "o": {0.5: 0.1, 0.6: 0.1}}


def at(item: GainTests | ModelInteraction) -> float | None:
    return threshold_of(item.levels)


Arm = tuple[str, float | None, list[str], np.ndarray]
"""Model, threshold (None is the baseline), questions, CPS."""


def study(n: int = 40) -> list[Arm]:
    """CPS is METEOR; o's baseline lacks one question, and every arm has one twice."""
    rng = np.random.default_rng(3)
    level = rng.uniform(0.2, 0.7, size=n)
    arms: list[Arm] = []
    for model, gains in GAINS.items():
        for threshold, gain in {None: 0.0, **gains}.items():
            values = np.clip(level + gain + rng.normal(0, 0.03, size=n), 0, 1)
            keys = [f"q{place}" for place in range(n)]
            if (model, threshold) == ("o", None):
                keys, values = keys[1:], values[1:]
            arms.append((model, threshold, [*keys, "q5"], np.r_[values, values[keys.index("q5")] + 0.01]))
    return arms


def table_of(arms: list[Arm], factor: str = "min_similarity") -> QuestionTable:
    """The arms as a table of CPS and METEOR, which are the same."""
    baselines = {model: place for place, (model, threshold, *_) in enumerate(arms) if threshold is None}
    cps = np.concatenate([values for *_, values in arms])
    return QuestionTable.averaged(
        [key for *_, keys, _ in arms for key in keys],
        np.repeat(np.arange(len(arms)), [len(keys) for *_, keys, _ in arms]),
        np.column_stack([cps, cps]),
        configurations=[
            Configuration(f"{model} {threshold}", model, model, ())
            if threshold is None
            else Configuration(
                f"{model} {threshold}", model, model, (), levels={factor: threshold}, baseline=baselines.get(model)
            )
            for model, threshold, *_ in arms
        ],
        metrics=("CPS", "METEOR"),
    )


@pytest.fixture(scope="module")
def evidence():
    arms = study()
    correlations = rank_correlations(("METEOR",), arms[0][-1][:, None])
    return gather_evidence(table_of(arms), PANEL, [("all models", correlations)], seed=1, draws=2_000)


def test_a_family_is_a_model_with_one_baseline_its_levels_ascending():
    table = table_of(study()[::-1])
    o, m = families(table)
    assert (m.model, [*map(threshold_of, m.levels)], m.levels) == ("m", [0.5, 0.6], o.levels)
    assert [table.configurations[place].name for place in m.places] == ["m None", "m 0.5", "m 0.6"]
    assert (table.complete(m.places).shape, table.complete(o.places).shape) == ((3, 40, 2), (3, 39, 2))
    assert families(table_of([arm for arm in study() if arm[1] is not None])) == []
    assert families(table, ["k"]) == []
    assert families(table, within=m.places) == [m]


def test_another_factor_is_tested_in_the_same_way(evidence):
    found = gather_evidence(table_of(study(), "k"), PANEL, [], factors=("k",), seed=1, draws=2_000)
    for here, there in zip(found.comparisons, evidence.comparisons, strict=True):
        assert here.levels == {"k": there.levels["min_similarity"]}
        assert here.model_dump(exclude={"levels"}) == there.model_dump(exclude={"levels"})
    assert (
        found.statements[1]
        == "m: 1 of 2 configurations have a significant gain (max-T) and 0 a significant loss. The response is broad."
    )
    assert "the first half chooses k = 0.6" in found.statements[2]
    assert evidence_tables(found)["tests"].columns[:2] == ("model", "level")
    assert evidence_tables(found)["half_splits"].rows[1][1] == "k = 0.6"
    assert gather_evidence(table_of(study(), "k"), PANEL, [], seed=1, draws=10).comparisons == ()


def test_levels_of_several_factors_are_one_family_numbers_before_names():
    table = table_of(study())
    strategies = [{"retriever": "fusion"}, {"k": 20.0}, {"k": 5.0, "retriever": "dense"}]
    changed = [
        replace(item, levels=strategies[place - 1]) if place in (1, 2) else item
        for place, item in enumerate(table.configurations)
    ]
    [m, _] = families(replace(table, configurations=tuple(changed)), ("k", "retriever", "min_similarity"))
    assert m.levels == ({"k": 20.0}, {"retriever": "fusion"})
    assert [level_text(item) for item in strategies] == ["fusion", "k = 20", "k = 5, dense"]


def test_every_gain_has_every_test(evidence):
    assert [(item.model, at(item)) for item in evidence.comparisons] == [
        ("m", 0.5), ("m", 0.6), ("o", 0.5), ("o", 0.6),
    ]  # fmt: skip
    arms = {arm[:2]: averaged(*arm[2:]) for arm in study()}
    p = []
    for item in evidence.comparisons:
        here, base = arms[item.model, at(item)], arms[item.model, None]
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
        assert (cells["model"], cells["threshold"], cells["repeats"]) == (item.model, at(item), 1)
        assert cells["alpha"] == pytest.approx(0.05 / 4)
        assert cells["questions_for_1_points"] == item.questions_for_a_point
        wanted = questions_needed(gain=0.05, spread=item.spread, alpha=0.05 / 4)
        assert cells["questions_for_5_points"] == wanted
        assert "no repeats" in cells["basis"]
    assert sum("was asked once" in sentence for sentence in limits(evidence)) == 2, "once a model"


def test_planning_takes_the_noise_of_a_pilot_with_repeats():
    rng = np.random.default_rng(8)
    keys = [f"q{place}" for place in range(2_000)] * 3
    level = np.tile(rng.uniform(0.3, 0.6, size=2_000), 3)
    arms: list[Arm] = []
    for threshold, gain in ((None, 0.0), (0.5, 0.02)):
        own = np.tile(rng.normal(gain, 0.02, size=2_000), 3)
        cps = level + own + rng.normal(0, 0.04, size=6_000)
        arms.append(("m", threshold, keys, cps))
    assert [table_of(arms).within_sd(place) for place in (0, 1)] == [pytest.approx(0.04, rel=0.05)] * 2
    found = gather_evidence(table_of(arms), PANEL, [], seed=1, draws=50)
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
    assert ([*map(threshold_of, m.profile.gains)], m.profile.kind) == ([0.6], "broad")
    assert [*map(threshold_of, o.profile.gains)] == [0.5, 0.6]
    assert m.choice.best == 1
    assert m.choice.chosen_share == (0.0, 1.0)
    assert m.omnibus.p < 0.01
    assert (m.omnibus.n_questions, o.omnibus.n_questions) == (40, 39)
    assert m.weights.best_share == (0.0, 0.0, 1.0)
    assert [item.rank for item in m.grid] == [2, 1]


def test_it_is_said_when_halves_choose_otherwise_than_all_questions(evidence):
    m = evidence.models[0]
    [agreed] = [item for item in meaning(evidence) if item.startswith("m:") and "most often" in item]
    assert "chooses threshold 0.6 most often (100\u202f% of 200 splits). All of them choose threshold 0.6." in agreed
    choice = m.choice.model_copy(update={"chosen_share": (0.2, 0.3), "baseline_share": 0.5})
    other = evidence.model_copy(update={"models": (m.model_copy(update={"choice": choice}),)})
    [said] = [item for item in meaning(other) if "most often" in item]
    assert "chooses the baseline most often (50\u202f% of 200 splits). All of them choose threshold 0.6." in said
    assert "highest T-CPS" in said


def test_models_differ_only_where_the_interaction_says_so(evidence):
    found = {at(item): item.test for item in evidence.interactions}
    assert {(item.first, item.second) for item in evidence.interactions} == {("m", "o")}
    assert found[0.5].difference == pytest.approx(-0.1, abs=0.03)
    assert found[0.5].p_max_t < 0.01
    assert found[0.6].p_max_t > 0.05
    assert found[0.5].n_questions == 39


def test_other_normalisations_give_the_same_best(evidence):
    assert [item.method for item in evidence.normalisations] == ["min-max", "winsorised", "log-perplexity", "rank"]
    assert [item.best[0] for item in evidence.normalisations] == [{"min_similarity": 0.6}] * 4


def test_without_a_baseline_it_says_that_nothing_is_compared():
    arms = [arm for arm in study() if arm[1] is not None]
    found = gather_evidence(table_of(arms), PANEL, [], seed=1, draws=10)
    assert (found.comparisons, found.models, found.interactions, found.normalisations) == ((), (), (), ())
    assert found.statements == ("There are no comparisons because no model has a baseline.",)


def test_the_evidence_of_the_public_record_agrees_with_its_figures(test_data: Path) -> None:
    analysis = analyse_sheets(read_folder(test_data / "phase3-sheets"), "corrected", labels=MODELS)
    assert analysis.evidence is not None
    figures = [item for item in analysis.configurations if item.threshold is not None]
    for figure, tested in zip(figures, analysis.evidence.comparisons, strict=True):
        assert (figure.model, figure.threshold, figure.n_pairs) == (tested.model, at(tested), tested.n_pairs)
        assert tested.p_t == pytest.approx(figure.p_value)
        assert tested.cohens_d == pytest.approx(figure.cohens_d)
    pooled = analysis.evidence.correlations[0][1]
    assert (len(pooled.columns), pooled.n) == (24, 8158)
    same = {(pair.one, pair.other) for pair in analysis.evidence.redundant}
    assert ("Cosine similarity", "B-RT.relevance") in same
    assert analyse_sheets(read_folder(test_data / "phase3-sheets"), "published").evidence is None
