"""Reader of judged columns that are primary metrics, for the analysis."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Protocol

from passer.domain.analysis.question_across import JudgedValue
from passer.domain.bundle.judged_document import JudgementRecord
from passer.domain.judging.judgement import NamedJudge
from passer.domain.judging.task import TaskText
from passer.domain.score import Score
from passer.domain.verdict.judged_rule import JudgedColumn
from passer.ports import StoredSweep


class JudgeReplies(NamedTuple):
    """Replies of a judge, as a bundle states them."""

    judgements: Mapping[str, JudgementRecord]
    """Judgements by key."""
    tasks: Sequence[TaskText]
    """The judge's tasks as they were asked."""


NO_REPLIES = JudgeReplies({}, ())


class JudgedScores(NamedTuple):
    """The values of a judged column that cover some runs."""

    judge: NamedJudge
    column: str
    scores: Mapping[str, Mapping[int, Score]]
    """Scores by run, then by number of the question, from 0."""


class JudgedColumnReader(Protocol):
    """Reads judged columns that are primary metrics."""

    def of(self, sweep_id: str, assessment_id: str, column: str | None) -> JudgedColumn:
        """Return a column of an assessment of the sweep, by default its first one.

        Raises InputError if it cannot decide a verdict, and NotFoundError if the assessment does not exist.
        """

    def recorded(self, stored: StoredSweep) -> JudgedColumn | None:
        """Return the column that the sweep recorded as its primary metric; None if it recorded no judge."""

    def version(self, stored: StoredSweep) -> Hashable:
        """Return a value that changes with the recorded column and the labels of its answers; None without a judge."""

    def of_question(self, sweep_id: str, run_ids: Sequence[str], number: int) -> Mapping[str, tuple[JudgedValue, ...]]:
        """Return the newest value of each judged column for a question (counted from 0) of runs of a sweep, by run."""

    def means(self, sweep_id: str) -> tuple[JudgedValue, ...]:
        """Return the newest mean of each judged column over all answers of a sweep."""

    def judge_replies(self, column: JudgedColumn) -> JudgeReplies:
        """Return the judge's replies that a column follows from."""
