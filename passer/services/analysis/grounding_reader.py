"""Computes citations and grounding of stored answers from their texts; no model is asked, nothing is stored."""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.base import Frozen
from passer.domain.dataset import Question
from passer.domain.judging.item import Item, answer_item
from passer.domain.judging.recipe import Finding, Findings, missing
from passer.domain.models.answer import Answer
from passer.domain.retrieval.passages import Passage
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.run import Evaluation, Run, RunConfig
from passer.domain.texts.keywords import language_of, stop_words_digest
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.metrics.grounded.checks import CheckedAnswer, GroundingLimits, checked, source_keywords
from passer.metrics.grounded.citations import citation_findings
from passer.metrics.grounded.grounding import grounding_findings
from passer.ports import EvaluationStore, PromptTemplates, StoredSweep
from passer.services.analysis.comparability import check_ended
from passer.services.analysis.grounding_report import (
    AGAINST,
    BY_CHANCE,
    COLUMNS,
    GroundedQuestion,
    GroundingReport,
    JudgedValues,
    RunGrounding,
    counts_of,
    run_columns,
    warnings_of,
)
from passer.services.analysis.verdict.judged_column_reader import JudgedScores
from passer.services.runs.run_browser import RunBrowser

SEED = 20_260_101
ANSWERED = ("answered", "scored", "failed")
AT_ONCE = 1_000
"""Questions whose rankings are read at once."""


class GroundedAnswer(Frozen):
    """One answer with its citations and sentences."""

    checked: CheckedAnswer
    """Citations and sentences."""
    columns: dict[str, Finding]
    """Findings by column."""


@dataclass(frozen=True)
class GroundingReader:
    """Reads answers with their passages and checks them."""

    run_browser: RunBrowser
    evaluations: EvaluationStore
    templates: PromptTemplates
    judged: Callable[[str, Sequence[str], str], Mapping[str, JudgedScores]] = lambda *_: {}
    """Returns a judged column of those runs of a sweep of which a judge has judged every answer, by run."""

    def of_run(self, run_id: str, limits: GroundingLimits) -> GroundingReport:
        """Return citations and grounding of a run, question by question.

        Raises NotFoundError if it does not exist. Raises ConflictError before its sweep has ended: its means are
        compared like any other metric's.
        """
        sweep, run = self.run_browser.run(run_id)
        return self._report(sweep, [run], limits, with_questions=True)

    def of_sweep(self, sweep_id: str, limits: GroundingLimits) -> GroundingReport:
        """Return citations and grounding of each run of a sweep; errors as of `of_run`."""
        sweep = self.run_browser.runs.load_sweep(sweep_id)
        return self._report(sweep, sweep.runs, limits, with_questions=False)

    def of_answer(self, run_id: str, number: int, limits: GroundingLimits) -> GroundedAnswer:
        """Return the citations and sentences of one answer; NotFoundError where there is none."""
        detail = self.run_browser.detail(run_id, number)
        if detail.answer is None:
            raise NotFoundError(sentence("analysis.no-answer", number=number, run=run_id))
        sweep, run = self.run_browser.run(run_id)
        kept = run.config.in_prompt(detail.passages[slice(*detail.evaluation.kept)])
        passages = detail.answer.outside_passages or kept
        language = language_of(detail.question.group, self.run_browser.dataset(sweep).language)
        item = answer_item(
            detail.question, detail.answer, passages, language, cites=self.templates.cites(run.config.prompt)
        )
        found = checked(item.answer, passages, language=language, limits=limits, with_places=True)
        return GroundedAnswer(checked=found, columns=_by_name(item, found))

    def _report(
        self, sweep: StoredSweep, runs: Sequence[Run], limits: GroundingLimits, *, with_questions: bool
    ) -> GroundingReport:
        check_ended(sweep)
        dataset, known = self.run_browser.dataset(sweep), _Keywords(limits)
        judged = [self.judged(sweep.id, [run.id for run in runs], each) for each in dict.fromkeys(AGAINST.values())]
        asked = [question.id for question in dataset.questions[: sweep.questions]]
        ranked = {
            ranked_by: self._ranked(sweep.id, ranked_by, asked)
            for ranked_by in dict.fromkeys(run.config.ranked_by for run in runs)
        }
        languages = {language_of(question.group, dataset.language) for question in dataset.questions}
        found = []
        for run in runs:
            reading = _Reading(
                run.config, dataset.questions, dataset.language, ranked[run.config.ranked_by], limits, known,
                cites=self.templates.cites(run.config.prompt),
            )  # fmt: skip
            stored = self.evaluations.evaluations(run.id, with_scores=False)
            answers = self.evaluations.answers(sorted({each.answer_key for each in stored if each.answer_key}))
            questions = tuple(reading.questions_of(stored, answers))
            columns = run_columns(questions, _judged_values(judged, run.id))
            found.append(
                RunGrounding(
                    run_id=run.id,
                    name=run.name,
                    n=len(questions),
                    cites=reading.cites,
                    columns=columns,
                    questions=questions if with_questions else (),
                    warnings=warnings_of(columns, languages),
                )
            )
        return GroundingReport(limits=limits, seed=SEED, stop_words=stop_words_digest(), runs=tuple(found))

    def _ranked(self, sweep_id: str, ranked_by: RankedBy, asked: Sequence[str]) -> dict[str, tuple[Passage, ...]]:
        """Return the ranked passages of each question; one that was found often is one object."""
        # All rankings at once take gigabytes where there are many questions, and few passages.
        known: dict[str, Passage] = {}
        found = {}
        for start in range(0, len(asked), AT_ONCE):
            part = self.evaluations.rankings(sweep_id, ranked_by, asked[start : start + AT_ONCE])
            for question_id, ranking in part.items():
                found[question_id] = tuple(known.setdefault(each.id, each) for each in ranking.passages)
        return found


def _judged_values(judged: Sequence[Mapping[str, JudgedScores]], run_id: str) -> JudgedValues:
    found = [by_run[run_id] for by_run in judged if run_id in by_run]
    return {
        each.column: (
            each.judge,
            {number: score.value for number, score in each.scores[run_id].items() if score.value is not None},
        )
        for each in found
    }


class _Keywords:
    """Keywords of passages by id and language, computed once for all runs."""

    def __init__(self, limits: GroundingLimits) -> None:
        self._limits = limits
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def of(self, passages: Sequence[Passage], language: str) -> dict[str, frozenset[str]]:
        for passage in passages:
            key = (passage.id, language)
            if key not in self._known:
                self._known[key] = source_keywords(passage.text, language, self._limits)
        return {passage.id: self._known[passage.id, language] for passage in passages}


@dataclass(frozen=True)
class _Reading:
    """The answers of one run while they are checked."""

    config: RunConfig
    questions: Sequence[Question]
    language: str
    ranked: Mapping[str, tuple[Passage, ...]]
    """Passages by question id, best first."""
    limits: GroundingLimits
    known: _Keywords
    cites: bool
    kept: dict[int, tuple[Passage, ...]] = field(default_factory=dict)
    """Passages kept, as the prompt numbers them, by the question's number."""

    def questions_of(self, stored: Sequence[Evaluation], answers: Mapping[str, Answer]) -> Iterator[GroundedQuestion]:
        done = [each for each in stored if each.state in ANSWERED]
        for each in done:
            answer = answers.get(each.answer_key or "")
            own = answer.outside_passages if answer else ()
            kept = self.ranked.get(each.question_id, ())[slice(*each.kept)]
            self.kept[each.number] = own or self.config.in_prompt(kept)
        # All kept passages before the first question is checked: its chance is drawn from those of the others.
        pool = Pool({passage.id: passage for passages in self.kept.values() for passage in passages})
        for each in done:
            yield self._question(each, answers.get(each.answer_key or ""), pool)

    def _question(self, evaluation: Evaluation, answer: Answer | None, pool: Pool) -> GroundedQuestion:
        question, passages = self.questions[evaluation.number], self.kept[evaluation.number]
        given = {"number": evaluation.number, "question_id": question.id, "question": question.text}
        if answer is None:
            failed = dict(zip(COLUMNS, missing("generation_failed", columns=len(COLUMNS)), strict=True))
            nothing = counts_of(CheckedAnswer(citations=(), sentences=()))
            return GroundedQuestion(
                **given, **nothing, columns=failed, chance={name: failed[name] for name in BY_CHANCE}
            )
        language = language_of(question.group, self.language)
        item = answer_item(question, answer, passages, language, cites=self.cites)
        found = self._checked(item, passages)
        others = pool.others(question.id, passages)
        by_chance = item.model_copy(update={"passages": others})
        chance = _by_name(by_chance, self._checked(by_chance, others))
        return GroundedQuestion(
            **given,
            **counts_of(found),
            columns=_by_name(item, found),
            chance={name: chance[name] for name in BY_CHANCE},
        )

    def _checked(self, item: Item, passages: Sequence[Passage]) -> CheckedAnswer:
        known = self.known.of(passages, item.language)
        return checked(item.answer, passages, language=item.language, limits=self.limits, known=known)


class Pool:
    """Passages that were kept for any question of a run."""

    def __init__(self, passages: Mapping[str, Passage]) -> None:
        self._passages = passages
        self._ids = sorted(passages)

    def others(self, question_id: str, kept: Sequence[Passage]) -> tuple[Passage, ...]:
        """Draw as many passages of other questions as were kept; fewer where there are not enough."""
        own = sorted({bisect_left(self._ids, passage.id) for passage in kept})
        candidates = range(len(self._ids) - len(own))
        # A seed per question: the chance of a question does not change with the other questions that are read.
        drawn = random.Random(f"{SEED}/{question_id}").sample(candidates, min(len(kept), len(candidates)))
        return tuple(self._passages[self._ids[_skipped(place, own)]] for place in drawn)


def _skipped(place: int, left_out: Sequence[int]) -> int:
    """Return the place, among all, of the one at `place` among those that are not left out (in ascending order)."""
    for each in left_out:
        place += each <= place
    return place


def _by_name(item: Item, found: CheckedAnswer) -> dict[str, Finding]:
    findings: Findings = (*citation_findings(item, found), *grounding_findings(item, found))
    return dict(zip(COLUMNS, findings, strict=True))
