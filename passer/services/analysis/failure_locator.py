"""Locates where the questions of stored runs failed, from stored rankings without the passages' texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from passer.domain.base import IN_QUERY, Frozen
from passer.domain.dataset import Question
from passer.domain.failures.judged_labels import CORRECTNESS
from passer.domain.failures.locator import FailureLabel, GoldPlace, QuestionEvidence, gold_used, locate
from passer.domain.failures.report import (
    DecidedBy,
    FailureReport,
    LocatedQuestion,
    LowLimit,
    RunFailures,
    counted,
    deciders,
    decisions,
    grouped,
    needed_cut,
)
from passer.domain.judging.judgement import NamedJudge
from passer.domain.score import CAUSED_BY_SYSTEM, VECTOR_ORDER, Score
from passer.domain.sweeps.run import Run
from passer.domain.texts.keywords import language_of
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics import infos
from passer.metrics.judged import info_of
from passer.metrics.judged.grades import ANSWERABLE, ATTEMPTED
from passer.ports import BareRanking, EvaluationStore, Outcome, StoredSweep
from passer.services.analysis.comparability import check_ended
from passer.services.analysis.verdict.judged_column_reader import JudgedScores
from passer.services.runs.run_browser import RunBrowser

DEFAULT_COLUMN = "F1 Score"
QUARTILE = 0.25
JUDGED_BELOW = 0.5
"""Values of a judged column below this are low."""


class FailureChoices(Frozen):
    """Settings that define low scores and the deciding gold passage."""

    model_config = IN_QUERY

    column: str | None = None
    """Column that decides which scores are low; None takes Answer correctness of a judge where every answer has it,
    else F1 Score."""
    below: float | None = None
    """Smaller values are low; None takes 0.5 of a judged column, else the first quartile of all scores of the sweep."""
    best: bool = False
    """True if the best gold passage of a question decides instead of the worst."""


@dataclass(frozen=True)
class FailureLocator:
    """Locates failures of runs and sweeps."""

    run_browser: RunBrowser
    evaluations: EvaluationStore
    judged: Callable[[str, Sequence[str], str], JudgedScores | None] = lambda *_: None
    """Returns a judged column of some runs of a sweep, where a judge has judged every answer."""

    def of_run(self, run_id: str, choices: FailureChoices) -> FailureReport:
        """Return where the questions of a run failed, question by question.

        Raises NotFoundError if it does not exist, and InputError for an unknown column. Raises ConflictError before its
        sweep has ended: how many scores are low is a gain in other words.
        """
        sweep, run = self.run_browser.run(run_id)
        return self._report(sweep, [run], choices, with_questions=True)

    def of_sweep(self, sweep_id: str, choices: FailureChoices) -> FailureReport:
        """Return where the questions of each run of a sweep failed, as counts; errors as of `of_run`."""
        sweep = self.run_browser.runs.load_sweep(sweep_id)
        return self._report(sweep, sweep.runs, choices, with_questions=False)

    def _report(
        self, sweep: StoredSweep, runs: Sequence[Run], choices: FailureChoices, *, with_questions: bool
    ) -> FailureReport:
        check_ended(sweep)
        deciding = self._deciding(sweep, runs, choices.column)
        low = _low_limit(deciding, choices.below)
        dataset, run_ids = self.run_browser.dataset(sweep), [run.id for run in runs]
        attempted, answerable = (self.judged(sweep.id, run_ids, column) for column in (ATTEMPTED, ANSWERABLE))
        rankings = {
            ranked_by: self.evaluations.bare_rankings(sweep.id, ranked_by)
            for ranked_by in dict.fromkeys(run.config.ranked_by for run in runs)
        }
        found = [
            _Locating(
                run, dataset.questions[: sweep.questions], dataset.language, self.evaluations,
                rankings[run.config.ranked_by], deciding.scores[run.id], low, attempted, answerable, best=choices.best,
            ).failures(with_questions=with_questions)
            for run in runs
        ]  # fmt: skip
        return FailureReport(low=low, best=choices.best, runs=tuple(found), deciders=deciders(found))

    def _deciding(self, sweep: StoredSweep, runs: Sequence[Run], wanted: str | None) -> _Deciding:
        """Return the scores of the column that decides; InputError for one that cannot."""
        if wanted is None or wanted not in VECTOR_ORDER:
            found = self.judged(sweep.id, [run.id for run in runs], wanted or CORRECTNESS)
            if found is not None and info_of(found.column).higher_is_better:
                return _Deciding(found.column, found.scores, found.judge)
        column = wanted or DEFAULT_COLUMN
        _check_column(column, runs[0])
        stored = {run.id: self.evaluations.run_scores(run.id) for run in sweep.runs}
        scores = {
            run_id: dict(zip(own.numbers, own.table.column(column), strict=True)) for run_id, own in stored.items()
        }
        return _Deciding(column, scores)


@dataclass(frozen=True)
class _Deciding:
    """The column that decides which scores are low."""

    column: str
    scores: Mapping[str, Mapping[int, Score]]
    """Scores by run, then by number of the question."""
    judge: NamedJudge | None = None
    """Model that judged it; None for a text metric."""


@dataclass(frozen=True)
class _Locating:
    """One run while its questions are located."""

    run: Run
    questions: Sequence[Question]
    language: str
    evaluations: EvaluationStore
    rankings: Mapping[str, BareRanking]
    scores: Mapping[int, Score]
    """Scores by number of the question; without questions that have no score."""
    low: LowLimit | None
    attempted: JudgedScores | None
    """A judge's decisions whether answers are attempts; None without them."""
    answerable: JudgedScores | None
    """A judge's decisions whether the passages contain the answers; None without them."""
    best: bool

    def failures(self, *, with_questions: bool) -> RunFailures:
        done = [each for each in self.evaluations.outcomes(self.run.id) if each.state in ("scored", "failed")]
        evidence = [self._evidence(each) for each in done]
        located = [self._located(each, item) for each, item in zip(done, evidence, strict=True)]
        labels = [each.label for each in located]
        groups: dict[str, list[FailureLabel]] = defaultdict(list)
        for each in located:
            if group := self.questions[each.number].group:
                groups[group].append(each.label)
        decided = decisions(evidence, best=self.best)
        return RunFailures(
            run_id=self.run.id,
            name=self.run.name,
            n=len(located),
            counts=counted(labels),
            needed=needed_cut(
                evidence, labels, best=self.best, is_by_similarity=self.run.config.retriever.is_by_similarity
            ),
            decisions=decided,
            decided_by=DecidedBy.of(evidence, _judge(self.attempted), _judge(self.answerable)) if decided else None,
            by_group=grouped(groups),
            questions=tuple(located) if with_questions else (),
        )

    def _evidence(self, outcome: Outcome) -> QuestionEvidence:
        ranking = self.rankings.get(outcome.question_id)
        gold = ranking.gold_ids if ranking else None
        passages = enumerate(ranking.passages if ranking else (), start=1)
        return QuestionEvidence(
            answered=outcome.state == "scored",
            unanswerable=self.questions[outcome.number].is_unanswerable,
            retrieves=self.run.config.retrieval.mode != "none",
            gold=None if gold is None else len(gold),
            ranks=tuple(
                GoldPlace(rank=rank, similarity=similarity)
                for rank, (key, similarity) in passages
                if key in (gold or ())
            ),
            kept=outcome.kept,
            abstained=bool(outcome.abstained),
            attempted=self._judged(self.attempted, outcome.number),
            answerable=self._judged(self.answerable, outcome.number),
            truncated=outcome.truncated,
            is_low=self._is_low(outcome.number),
        )

    def _located(self, outcome: Outcome, item: QuestionEvidence) -> LocatedQuestion:
        used: list[float | None] = []
        question, ranking = self.questions[outcome.number], self.rankings.get(outcome.question_id)

        def share_used() -> float | None:
            used.append(self._used(outcome.number))
            return used[0]

        label, place = locate(item, share_used, best=self.best), item.place(best=self.best)
        value = self.scores[outcome.number].value if outcome.number in self.scores else None
        return LocatedQuestion(
            number=outcome.number,
            question_id=question.id,
            question=question.text,
            label=label,
            rank=place.rank if place else None,
            similarity=place.similarity if place else None,
            depth=len(ranking.passages) if ranking else 0,
            used=used[0] if used else None,
            score=value,
        )

    def _is_low(self, number: int) -> bool | None:
        score = self.scores.get(number)
        if self.low is None or score is None:
            return None
        if score.value is None:
            # A missing score that the system caused counts as the worst value; one that measuring caused is left out.
            return True if score.reason in CAUSED_BY_SYSTEM else None
        return score.value < self.low.below

    def _judged(self, found: JudgedScores | None, number: int) -> bool | None:
        """Return the decision of a judge on a question; None where it has none."""
        score = found.scores[self.run.id].get(number) if found else None
        return None if score is None or score.value is None else bool(score.value)

    def _used(self, number: int) -> float | None:
        question = self.questions[number]
        return gold_used(
            references=question.references,
            gold=[passage.quote for passage in question.gold_passages],
            answer=self._answers.get(number, ""),
            language=language_of(question.group, self.language),
        )

    @cached_property
    def _answers(self) -> dict[int, str]:
        """Texts of the low answers: only they are compared with the gold passages."""
        stored = self.evaluations.evaluations(self.run.id, with_scores=False)
        keys = {each.number: each.answer_key for each in stored if each.answer_key and self._is_low(each.number)}
        found = self.evaluations.answers(sorted(set(keys.values())))
        return {number: found[key].text for number, key in keys.items() if key in found}


def _judge(found: JudgedScores | None) -> NamedJudge | None:
    return None if found is None else found.judge


def _check_column(column: str, run: Run) -> None:
    """InputError unless higher values of the column are better, so that a low value is a bad one."""
    better = {info.name for info in infos(run.config.profile) if info.higher_is_better}
    if column not in VECTOR_ORDER or column not in better:
        names = ", ".join(name for name in VECTOR_ORDER if name in better)
        raise InputError(sentence("failures.column", column=column, names=names), field="column")


def _low_limit(deciding: _Deciding, wanted: float | None) -> LowLimit | None:
    """Return which scores are low; None where no run has a value."""
    column, judge = deciding.column, deciding.judge
    if judge is not None:
        below = JUDGED_BELOW if wanted is None else wanted
        line = sentence("failures.low-judged", column=column, judge=judge.label, below=below)
        return LowLimit(column=column, below=below, line=line)
    if wanted is not None:
        line = sentence("failures.low-given", column=column, below=wanted)
        return LowLimit(column=column, below=wanted, line=line)
    values = [each.value for run in deciding.scores.values() for each in run.values() if each.value is not None]
    if not values:
        return None
    below = float(np.quantile(np.array(values), QUARTILE))
    line = sentence("failures.low-quartile", column=column, below=below, n=len(values))
    return LowLimit(column=column, below=below, line=line)
