"""Rankings compared: means, intervals of the questions, and gains over the first."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from passer.domain import retrieval_report
from passer.domain.retrieval_report import RankedNames, RetrievalRequest, bootstrap_interval, ranking_figures
from passer.domain.retriever import Dense, Lexical

GRADES = {f"q{number}": {"gold": 1} for number in range(40)} | {"unknown": {}}


def ranked(first: int) -> dict[str, list[str]]:
    """Gold is first for so many questions, and third for the others."""
    names = {question: ["x", "y", "gold"] for question in GRADES}
    return names | {f"q{number}": ["gold", "x", "y"] for number in range(first)}


def test_means_and_gains_over_the_first() -> None:
    worse, better = ranking_figures(
        [RankedNames("a", Dense(), ranked(8)), RankedNames("b", Lexical(), ranked(28))], GRADES, ks=(1, 3)
    )
    means = {figure.name: figure.mean for figure in better.figures}
    assert (means["R@1"], means["R@3"], means["hit@1"]) == (28 / 40, 1.0, 28 / 40)
    rated = {figure.name: figure.rating for figure in better.figures if figure.rating}
    assert rated == {"P@1": "excellent", "R@1": "good", "P@3": "acceptable", "R@3": "excellent"}
    assert means["MRR@3"] == pytest.approx((28 + 12 / 3) / 40)
    assert better.f1_of_means["3"] == pytest.approx(2 * (1 / 3) / (1 / 3 + 1))
    assert better.unjudged["1"] == pytest.approx(12 / 40), "what has no grade counts as not relevant, and is counted"
    gains = {figure.name: figure.gain for figure in better.figures}
    assert gains["R@1"] is not None
    assert gains["R@3"] is not None
    assert gains["R@1"].gain == pytest.approx(20 / 40)
    assert (gains["R@1"].outcome, gains["R@3"].outcome) == ("better", "identical")
    assert all(figure.gain is None for figure in worse.figures)


def test_the_interval_is_that_of_resampled_questions() -> None:
    values = np.arange(30.0)[:, None] / 30
    found = bootstrap_interval(values)
    assert found is not None
    expected = stats.bootstrap((values[:, 0],), np.mean, method="percentile", random_state=1).confidence_interval
    assert found[0].low == pytest.approx(expected.low, abs=0.02)
    assert found[0].high == pytest.approx(expected.high, abs=0.02)
    assert bootstrap_interval(values[:4]) is None


def test_resamples_in_chunks_give_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).random((40, 6))
    whole = bootstrap_interval(values)
    monkeypatch.setattr(retrieval_report, "CELLS", 40 * 7)
    in_chunks = bootstrap_interval(values)
    assert whole is not None
    assert in_chunks is not None
    assert [each.low for each in in_chunks] == pytest.approx([each.low for each in whole])
    assert [each.high for each in in_chunks] == pytest.approx([each.high for each in whole])


def test_weights_of_questions_count_in_means_intervals_and_gains() -> None:
    weights = {question: 3.0 if number < 8 else 1.0 for number, question in enumerate(GRADES)}
    given = [RankedNames("a", Dense(), ranked(8)), RankedNames("b", Lexical(), ranked(28))]
    worse, better = ranking_figures(given, GRADES, ks=(1,), weights=weights)
    means = [{figure.name: figure.mean for figure in found.figures} for found in (worse, better)]
    assert [each["R@1"] for each in means] == pytest.approx([24 / 56, 44 / 56])
    assert better.unjudged["1"] == pytest.approx(12 / 56)
    gain = next(figure.gain for figure in better.figures if figure.name == "R@1")
    assert gain is not None
    assert gain.gain == pytest.approx(20 / 56)
    assert gain.effective_pairs == pytest.approx(56**2 / (8 * 9 + 32))


def test_the_interval_of_weighted_questions_is_that_of_resampled_ratios() -> None:
    dice = np.random.default_rng(2)
    values, weights = dice.random(60), dice.uniform(0.2, 3.0, 60)
    found = bootstrap_interval(values[:, None], weights)
    assert found is not None

    def ratio(products: np.ndarray, sizes: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(products.sum(axis=axis) / sizes.sum(axis=axis))

    parts = (values * weights, weights)
    expected = stats.bootstrap(parts, ratio, paired=True, method="percentile", random_state=1).confidence_interval
    assert (found[0].low, found[0].high) == pytest.approx((expected.low, expected.high), abs=0.02)


def test_without_grades_there_are_ranks_only() -> None:
    [only] = ranking_figures([RankedNames("a", Dense(), ranked(3))], {question: {} for question in GRADES}, ks=(3,))
    assert only.figures == ()
    assert len(only.questions) == len(GRADES)
    assert only.questions[0].first_relevant is None


def test_a_question_shows_where_its_first_relevant_name_stands() -> None:
    [only] = ranking_figures([RankedNames("a", Dense(), ranked(1))], GRADES, ks=(2,))
    found = {each.question_id: each for each in only.questions}
    assert (found["q0"].first_relevant, found["q1"].first_relevant) == (1, None), "only the first two are looked at"
    assert found["q1"].names == ("x", "y")


@pytest.mark.parametrize("ks", [(), (3, 1), (1, 1), (0, 2), (1, 1001)])
def test_cuts_ascend(ks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ks"):
        RetrievalRequest(dataset="d", collection="c", ks=ks)


def test_a_retriever_is_named_once() -> None:
    with pytest.raises(ValueError, match="occurs twice"):
        RetrievalRequest(dataset="d", collection="c", retrievers=(Dense(), Lexical(), Dense()))
