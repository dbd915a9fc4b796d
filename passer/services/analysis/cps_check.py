"""Pairs of answers that differ most in CPS, for a person to choose from without scores; the choices against CPS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from passer.domain.analysis.question_matrix import QuestionMatrix
from passer.domain.base import Frozen
from passer.domain.statistics import DECIMALS, Interval, wilson_interval
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError
from passer.services.analysis.sweep_results import SweepResults

PAIRS = 20
"""Pairs of a check."""
Preference = Literal["first", "second", "same"]


class AnswerPair(Frozen):
    """Two answers to one question, without their configurations and scores."""

    number: int
    """Place of the question in the dataset, counted from 0."""
    question: str
    """The question."""
    reference: str
    """Right answers, one a line; empty if there is none."""
    first: str
    """One answer."""
    second: str
    """The other answer."""


class AnswerPairs(Frozen):
    """The pairs of a check."""

    pairs: tuple[AnswerPair, ...]
    """Pairs in random order; which answer comes first is random as well. The same for every call."""


class PairChoice(Frozen):
    """A person's preference between the answers of a pair."""

    number: int = Field(ge=0, le=2**31 - 1)
    """Place of the question in the dataset, counted from 0."""
    preferred: Preference
    """The better answer, or `same`."""


class PairChoices(Frozen):
    """The choices of one person."""

    choices: tuple[PairChoice, ...] = Field(min_length=1, max_length=PAIRS)
    """One for each pair that was judged."""


class ComparedAnswer(Frozen):
    """One answer of a pair with its configuration."""

    run_id: str
    """Id of the run."""
    name: LocalizedText
    """Name of the configuration."""
    answer: str
    """The answer."""
    cps: float
    """Its CPS in this sweep."""


class Disagreement(Frozen):
    """A pair in which a person prefers the answer with the lower CPS."""

    number: int
    """Place of the question in the dataset, counted from 0."""
    question: str
    """The question."""
    preferred: ComparedAnswer
    """The answer that the person prefers."""
    other: ComparedAnswer
    """The answer with the higher CPS."""


class CpsAgreement(Frozen):
    """Agreement of a person with CPS."""

    decided: int
    """Pairs in which the person prefers one answer."""
    same: int
    """Pairs in which both answers are equally good; they count neither way."""
    agreed: int
    """Decided pairs in which the preferred answer has the higher CPS."""
    interval: Interval | None
    """95 % Wilson interval of the share agreed / decided; None without a decided pair."""
    disagreements: tuple[Disagreement, ...]
    """The decided pairs in which it has the lower CPS."""


class _Drawn(NamedTuple):
    number: int
    columns: tuple[int, int]
    """Columns of the matrix, the answer that is shown first at the beginning."""


@dataclass(frozen=True)
class CpsCheck:
    """Draws pairs of answers and compares a person's choices with CPS; read-only."""

    sweep_results: SweepResults

    def pairs(self, sweep_id: str) -> AnswerPairs:
        """Return the pairs of a sweep.

        Raises InputError if no two answers differ in CPS, and NotFoundError if the sweep does not exist.
        """
        matrix, drawn = self._drawn(sweep_id)
        return AnswerPairs(pairs=tuple(self._pair(sweep_id, matrix, each) for each in drawn))

    def compare(self, sweep_id: str, choices: PairChoices) -> CpsAgreement:
        """Return how far the choices agree with CPS; InputError for a question without a pair, or chosen twice."""
        matrix, drawn = self._drawn(sweep_id)
        by_number = {each.number: each for each in drawn}
        agreed, same, disagreements = 0, 0, []
        for choice in choices.choices:
            found = by_number.pop(choice.number, None)
            if found is None:
                raise InputError(sentence("rating.no-pair", number=choice.number + 1), field="choices")
            if choice.preferred == "same":
                same += 1
                continue
            place, other = found.columns if choice.preferred == "first" else found.columns[::-1]
            scores = matrix.scores[found.number]
            if scores[place] > scores[other]:
                agreed += 1
            else:
                disagreements.append(self._disagreement(sweep_id, matrix, found.number, place, other))
        decided = agreed + len(disagreements)
        return CpsAgreement(
            decided=decided,
            same=same,
            agreed=agreed,
            interval=wilson_interval(agreed, decided),
            disagreements=tuple(disagreements),
        )

    def _drawn(self, sweep_id: str) -> tuple[QuestionMatrix, Sequence[_Drawn]]:
        """Return the questions with the largest differences of CPS between two configurations, in random order."""
        matrix = self.sweep_results.matrix(sweep_id)
        known = ~np.isnan(matrix.scores)
        high = np.where(known, matrix.scores, -np.inf).argmax(axis=1)
        low = np.where(known, matrix.scores, np.inf).argmin(axis=1)
        spread = np.nan_to_num(np.round(matrix.spread, DECIMALS))
        numbers = [int(number) for number in np.argsort(-spread, kind="stable") if spread[number] > 0][:PAIRS]
        if not numbers:
            raise InputError(sentence("rating.no-pairs"))
        generator = np.random.default_rng(int.from_bytes(sha256(sweep_id.encode()).digest()[:8], "big"))
        found = []
        for number in generator.permutation(numbers).tolist():
            pair = int(high[number]), int(low[number])
            found.append(_Drawn(number, pair if generator.random() < 0.5 else pair[::-1]))
        return matrix, found

    def _pair(self, sweep_id: str, matrix: QuestionMatrix, drawn: _Drawn) -> AnswerPair:
        across = self.sweep_results.question(sweep_id, drawn.number)
        asked = self.sweep_results.asked(sweep_id)[drawn.number]
        texts = {item.column.run_id: item.answer or "" for item in across.items}
        first, second = (texts[matrix.columns[place].run_id] for place in drawn.columns)
        return AnswerPair(
            number=drawn.number, question=asked.text, reference="\n".join(asked.references), first=first, second=second
        )

    def _disagreement(self, sweep_id: str, matrix: QuestionMatrix, number: int, place: int, other: int) -> Disagreement:
        across = self.sweep_results.question(sweep_id, number)
        texts = {item.column.run_id: item.answer or "" for item in across.items}

        def compared(column: int) -> ComparedAnswer:
            run_id, name = matrix.columns[column].run_id, matrix.columns[column].name
            cps = float(matrix.scores[number, column])
            return ComparedAnswer(run_id=run_id, name=name, answer=texts[run_id], cps=cps)

        return Disagreement(number=number, question=across.question, preferred=compared(place), other=compared(other))
