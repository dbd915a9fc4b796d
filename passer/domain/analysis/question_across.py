"""One question under every configuration of a sweep: answers, scores, and where each cut its ranking."""

from __future__ import annotations

import math
from collections.abc import Mapping

from passer.domain.analysis.pool import Pool
from passer.domain.analysis.question_matrix import MatrixCell, MatrixColumn, QuestionMatrix
from passer.domain.base import Frozen
from passer.domain.score import Score
from passer.domain.verdict.amounts import POINTS
from passer.domain.wording.sentence import LocalizedText, sentence


class JudgedValue(Frozen):
    """Value of one answer in one judged column."""

    column: str
    """Name of the judged metric."""
    judge: str
    """Name of the judge's model."""
    rated: int
    """Answers that it judged in this column and people have rated; 0 is uncalibrated."""
    value: float | None
    """The value of the judge's first repetition; None with a reason."""
    reason: str | None
    """Reason why there is no value."""


class KeptRanks(Frozen):
    """Passages of a ranking that a configuration kept."""

    retrieved: int
    """Passages in the ranking."""
    kept: tuple[int, int]
    """Places [first, last), from 0, that were kept."""
    gold: tuple[int, ...]
    """Ranks, from 1, of gold passages, kept or not; empty if none was retrieved or they are unknown."""


class AnswerAcross(Frozen):
    """One configuration's answer to a question."""

    column: MatrixColumn
    """The configuration."""
    cell: MatrixCell
    """Score, gain and what happened."""
    repeats: tuple[float, ...] = ()
    """Score of each repetition that has one; empty without repetitions."""
    judged: tuple[JudgedValue, ...] = ()
    """The newest value of each judged column; empty where nobody judged the answer."""
    ranks: KeptRanks | None = None
    """Position of the cut; None without a ranking by PaSSER."""
    answer: str | None
    """The answer; None without one."""
    prompt_tokens: int | None
    """Tokens of the prompt, as the server counts."""
    generation_s: float | None
    """Seconds to generate the answer."""


class SweepMeans(Frozen):
    """Means over all questions and configurations of a sweep, to compare one question with."""

    score: float | None
    """Mean of the metric; None without scores."""
    kept: float | None
    """Passages kept; None where no question was reached."""
    prompt_tokens: float | None
    """Tokens of a prompt, where the server counts; None where it does not."""
    generation_s: float | None
    """Seconds to generate an answer; None without a measured time."""
    judged: tuple[JudgedValue, ...] = ()
    """Newest mean of each judged column."""

    @classmethod
    def of(cls, matrix: QuestionMatrix, judged: tuple[JudgedValue, ...]) -> SweepMeans:
        """Return the means of a matrix and those of judged columns."""
        return cls(
            score=matrix.mean_score,
            kept=matrix.mean_kept,
            prompt_tokens=matrix.mean_prompt_tokens,
            generation_s=matrix.mean_generation_s,
            judged=judged,
        )


class QuestionAcross(Frozen):
    """One question under every configuration of its sweep."""

    metric: str
    """The metric of the scores: the sweep's primary metric, unless another one was asked for."""
    number: int
    """Place in the dataset, from 0."""
    question: str
    """Its text."""
    items: tuple[AnswerAcross, ...]
    """Answers in the order of the matrix."""
    means: SweepMeans | None = None
    """Means of the sweep; None before its end."""
    withheld: LocalizedText | None = None
    """Reason why means and gains are None; None once they are shown."""
    abstention: LocalizedText | None = None
    """Why an abstention has a higher CPS than an answer, by the parts of both; None if no abstention has."""

    @property
    def leading_abstention(self) -> tuple[AnswerAcross, AnswerAcross] | None:
        """Return the abstention with the highest score and the best answer below it; None without such a pair."""
        known = [(each.cell.score, each) for each in self.items if each.cell.score is not None]
        abstained = [pair for pair in known if pair[1].cell.state == "abstained"]
        highest, first = max(abstained, key=_score, default=(-math.inf, None))
        below = [pair for pair in known if pair[1].cell.state == "scored" and pair[0] < highest]
        return None if first is None or not below else (first, max(below, key=_score)[1])

    def explained(self, pool: Pool, abstained: Mapping[str, Score], answered: Mapping[str, Score]) -> QuestionAcross:
        """Return the question with an explanation of its leading abstention; `scores` are those of the two answers."""
        pair = self.leading_abstention
        if pair is None:
            return self
        own, other = pool.parts(abstained), pool.parts(answered)
        parts = tuple(
            sentence("across.part", metric=metric, own=own[metric] * POINTS, other=other[metric] * POINTS)
            for metric in own
        )
        names = {"name": pair[0].column.name, "other": pair[1].column.name}
        points = {"own": sum(own.values()) * POINTS, "less": sum(other.values()) * POINTS}
        said = sentence("across.abstention", **names, **points, parts=parts)
        return self.model_copy(update={"abstention": said})


def _score(pair: tuple[float, AnswerAcross]) -> float:
    return pair[0]
