"""Locates where the questions of stored runs failed, from stored rankings without the passages' texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from passer.domain.base import IN_QUERY, Frozen
from passer.domain.dataset import Question
from passer.domain.failures.locating import FailureLabel, GoldPlace, QuestionEvidence, gold_used, locate
from passer.domain.failures.report import (
    FailureReport,
    LocatedQuestion,
    LowLimit,
    RunFailures,
    counted,
    decisions,
    grouped,
    needed_cut,
)
from passer.domain.keywords import language_of
from passer.domain.run import Run
from passer.domain.score import CAUSED_BY_SYSTEM, VECTOR_ORDER
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics import infos
from passer.ports import BareRanking, EvaluationStore, Outcome, RunScores, StoredSweep
from passer.services.analysis.comparability import check_at_rest
from passer.services.runs.run_browser import RunBrowser

DEFAULT_COLUMN = "F1 Score"
QUARTILE = 0.25


class FailureChoices(Frozen):
    """How low scores and gold passages are judged."""

    model_config = IN_QUERY

    column: str = DEFAULT_COLUMN
    """Column that decides which scores are low."""
    below: float | None = None
    """Smaller values are low; None takes the first quartile of all scores of the sweep."""
    best: bool = False
    """Whether the best gold passage of a question decides instead of the worst."""


@dataclass(frozen=True)
class FailureLocator:
    """Locates failures of runs and sweeps."""

    run_browser: RunBrowser
    evaluations: EvaluationStore

    def of_run(self, run_id: str, choices: FailureChoices) -> FailureReport:
        """Return where the questions of a run failed, question by question; NotFoundError, InputError.

        ConflictError before its sweep is at rest: how many scores are low is a gain in other words.
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
        check_at_rest(sweep)
        _check_column(choices.column, runs[0])
        scores = {run.id: self.evaluations.run_scores(run.id) for run in sweep.runs}
        low = _low_limit(list(scores.values()), choices)
        dataset = self.run_browser.dataset(sweep)
        rankings = {
            ranked_by: self.evaluations.bare_rankings(sweep.id, ranked_by)
            for ranked_by in dict.fromkeys(run.config.ranked_by for run in runs)
        }
        found = [
            _Locating(
                run, dataset.questions[: sweep.questions], dataset.language, self.evaluations,
                rankings[run.config.ranked_by], scores[run.id], low, best=choices.best,
            ).failures(with_questions=with_questions)
            for run in runs
        ]  # fmt: skip
        return FailureReport(low=low, best=choices.best, runs=tuple(found))


@dataclass(frozen=True)
class _Locating:
    """One run while its questions are located."""

    run: Run
    questions: Sequence[Question]
    language: str
    evaluations: EvaluationStore
    rankings: Mapping[str, BareRanking]
    scores: RunScores
    low: LowLimit | None
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
        return RunFailures(
            run_id=self.run.id,
            name=self.run.name,
            n=len(located),
            counts=counted(labels),
            needed=needed_cut(evidence, labels, best=self.best),
            decisions=decisions(evidence, best=self.best),
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
        value, _ = self._score(outcome.number)
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
        value, reason = self._score(number)
        if self.low is None:
            return None
        if value is None:
            # What the system caused counts as the worst value; what measuring caused says nothing of the answer.
            return True if reason in CAUSED_BY_SYSTEM else None
        return value < self.low.below

    def _score(self, number: int) -> tuple[float | None, str | None]:
        row = self._rows.get(number)
        if row is None or self.low is None:
            return None, None
        column = self.scores.table.columns.index(self.low.column)
        reason = self.scores.table.reasons[row][column]
        return (None, reason) if reason else (float(self.scores.table.values[row, column]), None)

    @cached_property
    def _rows(self) -> dict[int, int]:
        return {number: row for row, number in enumerate(self.scores.numbers)}

    def _used(self, number: int) -> float | None:
        question = self.questions[number]
        return gold_used(
            reference=question.reference,
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


def _check_column(column: str, run: Run) -> None:
    """InputError unless higher values of the column are better, so that a low value is a bad one."""
    better = {info.name for info in infos(run.config.profile) if info.higher_is_better}
    if column not in VECTOR_ORDER or column not in better:
        names = ", ".join(name for name in VECTOR_ORDER if name in better)
        raise InputError(sentence("failures.column", column=column, names=names), field="column")


def _low_limit(scores: Sequence[RunScores], choices: FailureChoices) -> LowLimit | None:
    """Return which scores are low; None where no run has a value."""
    if choices.below is not None:
        line = sentence("failures.low-given", column=choices.column, below=choices.below)
        return LowLimit(column=choices.column, below=choices.below, line=line)
    column = VECTOR_ORDER.index(choices.column)
    values = np.concatenate([each.table.values[each.table.present[:, column], column] for each in scores])
    if not values.size:
        return None
    below = float(np.quantile(values, QUARTILE))
    line = sentence("failures.low-quartile", column=choices.column, below=below, n=int(values.size))
    return LowLimit(column=choices.column, below=below, line=line)
