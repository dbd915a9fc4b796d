"""Figures at K against ir_measures, by hand, and against the tables that LitPath AI and RAGElo print."""

from __future__ import annotations

import random

import pytest

from passer.domain.retrieval.at_k import at_k, f1_of_means, figure_name, ranked_names, unjudged
from passer.domain.retrieval.passages import RetrievedPassage


def test_all_figures_are_those_of_ir_measures() -> None:
    import ir_measures
    from ir_measures import RR, P, R, Success, nDCG

    draw = random.Random(18)
    for _ in range(200):
        names = [f"d{number}" for number in range(30)]
        ranked = draw.sample(names, draw.randint(0, 30))
        grades = {name: draw.choice((0, 0, 1, 2)) for name in draw.sample(names, 12)}
        grades[draw.choice(names)] = draw.choice((1, 2))
        k = draw.choice((1, 3, 5, 10))
        found = at_k(ranked, grades, k)
        measures = {
            "P": P @ k, "R": R @ k, "hit": Success @ k, "MRR": RR @ k, "MRR (grade ≥ 2)": RR(rel=2) @ k,
            "nDCG": nDCG(gains={0: 0, 1: 1, 2: 3}) @ k,
        }  # fmt: skip
        qrels = [ir_measures.Qrel("q", name, grade) for name, grade in grades.items()]
        run = [ir_measures.ScoredDoc("q", name, 1 / rank) for rank, name in enumerate(ranked, start=1)]
        expected = ir_measures.calc_aggregate(list(measures.values()), qrels, run)
        assert {name: found[name] for name in measures} == pytest.approx(
            {name: expected[measure] for name, measure in measures.items()}, abs=1e-12
        )


def test_f1_by_hand() -> None:
    # Two of three relevant among the first four: P 1/2, R 2/3, F1 2 * 1/2 * 2/3 / (1/2 + 2/3) = 4/7.
    found = at_k(["a", "x", "b", "y", "c"], {"a": 1, "b": 1, "c": 1}, 4)
    assert (found["P"], found["R"], found["F1"]) == pytest.approx((1 / 2, 2 / 3, 4 / 7))
    assert at_k([], {"a": 1}, 4)["F1"] == 0


def test_precision_of_what_is_returned_divides_by_it() -> None:
    found = at_k(["a", "x"], {"a": 1}, 10)
    assert (found["P"], found["P (returned)"]) == (0.1, 0.5)
    assert at_k([], {"a": 1}, 10)["P (returned)"] == 0


def test_the_printed_means_of_litpath() -> None:
    precision, recall = (0.700 + 0.367 + 0.267) / 3, (1.000 + 0.667 + 0.666) / 3
    assert precision == pytest.approx(0.4447, abs=5e-5)
    assert recall == pytest.approx(0.7777, abs=5e-5)
    assert f1_of_means(precision, recall) == pytest.approx(0.57, abs=0.005)
    assert f1_of_means(0, 0) == 0


def test_the_printed_sample_of_ragelo() -> None:
    # 6 of 10 retrieved are relevant, and 6 are known: P .6, R 1.
    ranked = [f"r{number}" for number in range(6)] + [f"x{number}" for number in range(4)]
    found = at_k(ranked, dict.fromkeys(ranked[:6], 1), 10)
    assert (found["P"], found["R"]) == (0.6, 1.0)


def test_without_anything_relevant_there_are_no_figures() -> None:
    with pytest.raises(ValueError, match="need a relevant"):
        at_k(["a"], {"a": 0}, 1)


def test_documents_stand_where_their_first_passage_does() -> None:
    passages = [
        RetrievedPassage(id=f"p{n}", document=name, number=n, text="t", start=0, end=1, rank=n, similarity=0.5)
        for n, name in enumerate(("one", "one", "two", "one", "three"), start=1)
    ]
    assert list(ranked_names(passages, "document")) == ["one", "two", "three"]
    assert list(ranked_names(passages, "passage")) == ["p1", "p2", "p3", "p4", "p5"]


def test_what_nobody_judged_is_counted() -> None:
    assert unjudged(["a", "b", "c", "d"], {"a": 1, "b": 0}, 3) == pytest.approx(1 / 3)
    assert unjudged([], {"a": 1}, 3) == 0


def test_names_of_columns() -> None:
    assert [figure_name(name, 10) for name in ("P", "P (returned)", "MRR (grade ≥ 2)")] == [
        "P@10", "P@10 (returned)", "MRR@10 (grade ≥ 2)",
    ]  # fmt: skip
