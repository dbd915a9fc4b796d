"""The evidence of a sweep: thresholds against their baselines, on the sweep's own composites."""

from __future__ import annotations

import pytest
from scipy import stats

from passer.domain.dataset import Question
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.services.analysis.run_evidence import evidence_of_runs
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, question, run


def thresholds(**values: list[float]):
    """A baseline, two thresholds and an arm that is neither."""
    policies = {
        "base": NormalPolicy(k=5),
        "low": ScorePolicy(min_similarity=0.3),
        "high": ScorePolicy(min_similarity=0.6),
        "more": NormalPolicy(k=9),
    }
    return [
        run(
            name,
            [question(number, quality) for number, quality in enumerate(qualities)],
            retrieval=policies[name],
            baseline=name == "base",
        )
        for name, qualities in values.items()
    ]


@pytest.fixture(scope="module")
def runs():
    return thresholds(base=noisy(0.4), low=noisy(0.4, seed=2), high=noisy(0.6, seed=3), more=noisy(0.5, seed=4))


def test_it_agrees_with_the_analysis_of_the_same_runs(runs):
    evidence, analysis = evidence_of_runs(runs, draws=500), analyse(runs)
    compared = {item.name: item.comparison for item in analysis.configurations}
    assert [item.levels for item in evidence.comparisons] == [{"min_similarity": 0.3}, {"min_similarity": 0.6}]
    for item, name in zip(evidence.comparisons, ("low", "high"), strict=True):
        assert item.gain == pytest.approx(compared[name].gain)
        assert item.p_t == pytest.approx(compared[name].p)
    assert evidence.family_size == 2, "the further Normal arm is no threshold"


def test_weights_count_in_the_tests_as_in_the_analysis(runs):
    ids = [each.question_id for each in runs[0].questions]
    weights = {name: 1.0 + number % 4 for number, name in enumerate(ids)}
    questions = [Question(id=name, text="?", reference="!", weight=weight) for name, weight in weights.items()]
    evidence, analysis = evidence_of_runs(runs, weights=weights, draws=500), analyse(runs, questions=questions)
    compared = {item.name: item.comparison for item in analysis.configurations}
    plain = evidence_of_runs(runs, draws=500)
    for item, alike, name in zip(evidence.comparisons, plain.comparisons, ("low", "high"), strict=True):
        assert (item.gain, item.p_t) == pytest.approx((compared[name].gain, compared[name].p))
        # No question kept a passage, so this is the t interval of all.
        whole = compared[name].without_passages
        assert (item.ci.low, item.ci.high) == pytest.approx((whole.ci.low, whole.ci.high))
        assert item.gain != alike.gain
        assert item.p_wilcoxon == alike.p_wilcoxon, "ranks have no weights"
        # Planning rests on the standard error of the weighted mean: half of the interval, over t with 59 degrees.
        assert item.spread / 60**0.5 == pytest.approx((item.ci.high - item.gain) / stats.t.ppf(0.975, 59))
    assert "are weighted as the dataset states" in evidence.statements[1]
    assert not any("weighted" in said for said in plain.statements)


def test_it_says_which_threshold_to_take(runs):
    [model] = evidence_of_runs(runs, draws=500).models
    assert model.choice.chosen_share == (0.0, 1.0)
    assert model.profile.gains == ({"min_similarity": 0.6},)
    assert model.omnibus.n_configurations == 3


def test_the_same_runs_give_the_same_evidence(runs):
    assert evidence_of_runs(runs, draws=200) == evidence_of_runs(runs, draws=200)


def test_without_thresholds_nothing_is_compared():
    found = evidence_of_runs(thresholds(base=noisy(0.4), more=noisy(0.5, seed=4)), draws=50)
    assert found.comparisons == ()
    assert "There are no comparisons" in found.statements[0]
