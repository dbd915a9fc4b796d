"""Pairs of answers for people: the largest differences of CPS, blind, and compared with what they choose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from passer.domain.analysis.question_across import AnswerAcross, QuestionAcross
from passer.domain.analysis.question_matrix import MatrixColumn, QuestionMatrix
from passer.domain.dataset import Question
from passer.errors import InputError
from passer.services.analysis.cps_check import PAIRS, CpsCheck, PairChoice, PairChoices, Preference

COLUMNS = tuple(
    MatrixColumn(run_id=f"run-{n}", name=f"configuration {n}", model="m", baseline=None, mean=None) for n in range(3)
)


class Results:
    """Results of three configurations whose answers name their configuration's number."""

    def __init__(self, scores: list[list[float]]) -> None:
        values = np.array(scores)
        size = values.shape
        self.found = QuestionMatrix(
            "CPS", COLUMNS, values, np.zeros(size, np.int32), np.zeros(size, np.uint8), np.zeros(size, np.int8)
        )

    def matrix(self, sweep_id: str) -> QuestionMatrix:
        return self.found

    def asked(self, sweep_id: str) -> list[Question]:
        return [Question(id=f"q{n}", text=f"Question {n}?", reference="R.") for n in range(len(self.found.scores))]

    def question(self, sweep_id: str, number: int) -> QuestionAcross:
        cells = self.found.rows([number], [each.text for each in self.asked(sweep_id)])[0].cells
        items = (
            AnswerAcross(column=column, cell=cell, answer=f"{place}", prompt_tokens=None, generation_s=None)
            for place, (column, cell) in enumerate(zip(COLUMNS, cells, strict=True))
        )
        return QuestionAcross(metric="CPS", number=number, question=f"Question {number}?", items=tuple(items))


def check_of(scores: list[list[float]]) -> CpsCheck:
    results: Any = Results(scores)
    return CpsCheck(results)


NAN = float("nan")
SCORES = [[0.1, 0.5, 0.9], [0.5, 0.5, 0.5], [0.8, NAN, 0.2], [NAN, NAN, 0.3]]


def test_pairs_are_the_largest_differences_and_show_no_configuration() -> None:
    pairs = check_of(SCORES).pairs("s").pairs
    # Questions 1 and 3 have no two different scores.
    assert {(pair.number, frozenset((pair.first, pair.second))) for pair in pairs} == {
        (0, frozenset("02")),
        (2, frozenset("02")),
    }
    assert set(pairs[0].model_dump()) == {"number", "question", "reference", "first", "second"}
    assert check_of(SCORES).pairs("s").pairs == pairs
    many = check_of([[0.0, n / 100, 0.0] for n in range(1, 60)]).pairs("s").pairs
    assert {pair.number for pair in many} == set(range(59 - PAIRS, 59))
    # The better answer comes first in some pairs and second in others.
    assert {pair.first == "1" for pair in many} == {True, False}


def test_choices_are_compared_with_cps() -> None:
    check = check_of(SCORES)
    better = {0: "2", 2: "0"}
    choices = []
    for pair in check.pairs("s").pairs:
        wanted = better[pair.number] if pair.number == 0 else "2"
        preferred: Preference = "first" if pair.first == wanted else "second"
        choices.append(PairChoice(number=pair.number, preferred=preferred))
    found = check.compare("s", PairChoices(choices=tuple(choices)))
    assert (found.decided, found.agreed, found.same) == (2, 1, 0)
    # Wilson's interval of 1 of 2: (1/2 + z^2/4 -+ z sqrt(1/8 + z^2/16)) / (1 + z^2/2), z = 1.96.
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (
        pytest.approx(0.0945, abs=1e-4),
        pytest.approx(0.9055, abs=1e-4),
    )
    (wrong,) = found.disagreements
    assert (wrong.number, wrong.preferred.name, wrong.other.name) == (2, "configuration 2", "configuration 0")
    assert (wrong.preferred.cps, wrong.other.cps) == (0.2, 0.8)
    same = check.compare("s", PairChoices(choices=(PairChoice(number=0, preferred="same"),)))
    assert (same.decided, same.same, same.interval) == (0, 1, None)


def test_what_is_no_pair_is_refused() -> None:
    twice = (PairChoice(number=0, preferred="first"),) * 2
    for choices in (twice, (PairChoice(number=1, preferred="first"),)):
        with pytest.raises(InputError, match="has no pair"):
            check_of(SCORES).compare("s", PairChoices(choices=choices))
    with pytest.raises(InputError, match="No two answers"):
        check_of([[0.5, 0.5, 0.5]]).pairs("s")
