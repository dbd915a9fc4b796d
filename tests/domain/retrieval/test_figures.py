"""Rankings compared: means, intervals of the questions, and gains over the first."""

from __future__ import annotations

import pytest

from passer.domain.figures.of_retrieval import curves
from passer.domain.retrieval.at_k import GoldSpans, Span
from passer.domain.retrieval.figures import JudgedQuestions, RankedNames, ranking_figures
from passer.domain.retrieval.report import RetrievalRequest
from passer.domain.retrieval.retriever import Dense, Lexical

GRADES = {f"q{number}": {"gold": 1} for number in range(40)} | {"unknown": {}}


def ranked(first: int) -> dict[str, list[str]]:
    """Gold is first for so many questions, and third for the others."""
    names = {question: ["x", "y", "gold"] for question in GRADES}
    return names | {f"q{number}": ["gold", "x", "y"] for number in range(first)}


def test_means_and_gains_over_the_first() -> None:
    worse, better = ranking_figures(
        [RankedNames("a", Dense(), ranked(8)), RankedNames("b", Lexical(), ranked(28))],
        JudgedQuestions(GRADES),
        ks=(1, 3),
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


def test_below_twenty_questions_nothing_is_called_better_as_in_a_verdict() -> None:
    few = {question: GRADES[question] for question in list(GRADES)[:18]}
    # Third for one retriever; for the other first in 8 questions, second in 8 and third in 2.
    second = ranked(8) | {f"q{number}": ["x", "gold", "y"] for number in range(8, 16)}
    _, better = ranking_figures(
        [RankedNames("a", Dense(), ranked(0)), RankedNames("b", Lexical(), second)], JudgedQuestions(few), ks=(3,)
    )
    gain = next(figure.gain for figure in better.figures if figure.name == "MRR@3")
    assert gain is not None
    assert gain.low is not None
    assert gain.low > 0
    assert (gain.outcome, gain.reason) == ("undecided", "too_few")


def test_each_group_counts_once_in_the_mean_over_groups() -> None:
    # LitPath AI's tables: P .700, .367, .267 of three groups of 10, 30 and 30 questions give .4447 over groups.
    relevant = {"large": (30, 11), "middle": (30, 8), "small": (10, 7)}
    names = [(group, f"{group}{n}", n < found) for group, (size, found) in relevant.items() for n in range(size)]
    grades = {question: {"gold": 1} for _, question, _ in names}
    groups = {question: group for group, question, _ in names}
    order = {question: ["gold", "x"] if is_found else ["x", "y"] for _, question, is_found in names}
    [only] = ranking_figures([RankedNames("a", Dense(), order)], JudgedQuestions(grades, groups=groups), ks=(1, 2))
    found = {figure.name: figure for figure in only.figures}
    assert found["P@1"].groups == pytest.approx({"large": 11 / 30, "middle": 8 / 30, "small": 0.7})
    assert found["P@1"].over_groups == pytest.approx(0.4447, abs=5e-4)
    assert found["P@1"].mean == pytest.approx(26 / 70), "the mean over questions is another one"
    # P@2 is half of P@1 and R@2 equals it: 2 * .2222 * .4444 / (.2222 + .4444).
    assert only.f1_of_group_means["2"] == pytest.approx(0.2963, abs=1e-4)
    assert only.f1_of_means["2"] == pytest.approx(2 * 13 / 70 * 26 / 70 / (39 / 70))
    [alone] = ranking_figures([RankedNames("a", Dense(), order)], JudgedQuestions(grades), ks=(1,))
    assert (alone.figures[0].groups, alone.figures[0].over_groups, alone.f1_of_group_means) == ({}, None, {})


def test_span_recall_counts_characters_that_are_covered() -> None:
    # A quote of 100 characters in two overlapping passages, and one of 50 that occurs twice.
    spans = GoldSpans(
        quotes={"q": [[Span("d", 100, 200)], [Span("d", 500, 550), Span("e", 0, 50)]]},
        passages={"a": Span("d", 80, 160), "b": Span("d", 140, 220), "c": Span("e", 10, 60), "z": Span("e", 90, 99)},
    )
    # a covers 60 of 150, b the other 40 once, c 40 of the second quote where it occurs in e.
    ranked = RankedNames("r", Dense(), {"q": ["a", "b", "z", "c", "unknown"]})
    [found] = ranking_figures([ranked], JudgedQuestions({"q": {"a": 1, "b": 1}}, spans=spans), ks=(1, 2, 5))
    means = {figure.name: figure.mean for figure in found.figures}
    wanted = {"R@1 (characters)": 60 / 150, "R@2 (characters)": 100 / 150, "R@5 (characters)": 140 / 150}
    assert {name: means[name] for name in wanted} == pytest.approx(wanted)
    assert curves([found], (1, 2, 5), 1)[-1].title == "R@K (characters) over the number of passages or documents K"
    with pytest.raises(ValueError, match="needs a gold quote"):
        spans.recall("other", ["a"])


def test_the_curve_of_a_measure_has_a_line_for_each_ranking() -> None:
    rankings = ranking_figures(
        [RankedNames("a", Dense(), ranked(8)), RankedNames("b", Lexical(), ranked(28))],
        JudgedQuestions(GRADES),
        ks=(1, 2, 3),
    )
    found = {figure.id: figure for figure in curves(rankings, (1, 2, 3), 40)}
    assert set(found) == {"r-at-k", "p-at-k", "f1-at-k", "mrr-at-k", "ndcg-at-k"}
    lines = {series.name: [(row.x, row.y) for row in series.rows] for series in found["r-at-k"].series}
    assert lines == {"a": [(1, 0.2), (2, 0.2), (3, 1)], "b": [(1, 0.7), (2, 0.7), (3, 1)]}
    assert curves(rankings, (1,), 40) == ()


def test_means_have_an_interval_from_five_questions() -> None:
    # Wilson's interval of 5 of 5 begins at 5 / (5 + 1.96^2).
    for count, low in ((4, None), (5, 0.5655175)):
        names = {f"q{n}": ["right"] for n in range(count)}
        [found] = ranking_figures(
            [RankedNames("a", Dense(), names)], JudgedQuestions({name: {"right": 1} for name in names}), ks=(1,)
        )
        interval = found.figures[0].interval
        assert (interval and interval.low) == (low and pytest.approx(low))


def test_weights_of_questions_count_in_means_intervals_and_gains() -> None:
    weights = {question: 3.0 if number < 8 else 1.0 for number, question in enumerate(GRADES)}
    given = [RankedNames("a", Dense(), ranked(8)), RankedNames("b", Lexical(), ranked(28))]
    worse, better = ranking_figures(given, JudgedQuestions(GRADES, weights=weights), ks=(1,))
    means = [{figure.name: figure.mean for figure in found.figures} for found in (worse, better)]
    assert [each["R@1"] for each in means] == pytest.approx([24 / 56, 44 / 56])
    assert better.unjudged["1"] == pytest.approx(12 / 56)
    gain = next(figure.gain for figure in better.figures if figure.name == "R@1")
    assert gain is not None
    assert gain.gain == pytest.approx(20 / 56)
    assert gain.effective_pairs == pytest.approx(56**2 / (8 * 9 + 32))


def test_without_grades_there_are_ranks_only() -> None:
    [only] = ranking_figures(
        [RankedNames("a", Dense(), ranked(3))], JudgedQuestions({question: {} for question in GRADES}), ks=(3,)
    )
    assert only.figures == ()
    assert len(only.questions) == len(GRADES)
    assert only.questions[0].first_relevant is None


def test_a_question_shows_where_its_first_relevant_name_stands() -> None:
    [only] = ranking_figures([RankedNames("a", Dense(), ranked(1))], JudgedQuestions(GRADES), ks=(2,))
    found = {each.question_id: each for each in only.questions}
    assert (found["q0"].first_relevant, found["q1"].first_relevant) == (1, None), "only the first two are looked at"
    assert found["q1"].names == ("x", "y")


@pytest.mark.parametrize("ks", [(), (3, 1), (1, 1), (0, 2), (1, 1001)])
def test_cuts_ascend(ks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ks"):
        RetrievalRequest(dataset="d", collection="c", ks=ks)


def test_a_retriever_is_named_once() -> None:
    with pytest.raises(ValueError, match="named twice"):
        RetrievalRequest(dataset="d", collection="c", retrievers=(Dense(), Lexical(), Dense()))
