"""Reads stored runs: pages of evaluations, single evaluations, and new answers to their questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.base import Frozen
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer, Prompt
from passer.domain.references import PairKeys, best_places
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.retrieval.passages import Ranking, RetrievedPassage, Rewriting
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.question_list import NUMBER, check_order, holds, words_of
from passer.domain.sweeps.run import AnswerSettings, Evaluation, Run, RunConfig, sweep_id_of
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError
from passer.ports import DatasetStore, EvaluationStore, RunStore, StoredSweep
from passer.services.pipeline.single_question import AnsweredQuestion, QuestionRunner, Retrieved, SingleQuestion


class EvaluationRow(Frozen):
    """One line of a run's question list."""

    question: Question
    """The question."""
    answer: str | None
    """The answer; None without one."""
    evaluation: Evaluation
    """Outcome of the evaluation."""


class EvaluationPage(Frozen):
    """A page of a run's questions."""

    items: tuple[EvaluationRow, ...]
    """The rows."""
    next: int | None
    """Value of `after` for the next page; None at the end."""
    total: int
    """Questions that fit, on all pages."""


class EvaluationDetail(Frozen):
    """One question under one configuration, with all details."""

    run: Run
    """The run with its configuration."""
    question: Question
    """The question and its reference."""
    evaluation: Evaluation
    """Its state and scores."""
    passages: tuple[RetrievedPassage, ...]
    """All that were retrieved, nearest first; those in `evaluation.kept` were shown to the model."""
    gold_ids: tuple[str, ...] | None
    """Ids of all passages that contain the answer, retrieved or not; None where that is not known."""
    embedding_s: float
    """Seconds to embed the question."""
    retrieval_s: float
    """Seconds to search."""
    rewriting: Rewriting | None
    """Query; None if the question was searched for as it was asked."""
    prompt: Prompt | None
    """Prompt of the model; None if no model was asked."""
    answer: Answer | None
    """The answer."""
    best_references: dict[str, int] | None = None
    """Place, from 0, of the right answer that gave each score; None where the question has one, or has no scores."""


@dataclass(frozen=True)
class RunBrowser:
    """Reads stored runs."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore

    def run(self, run_id: str, *, known: dict[str, StoredSweep] | None = None) -> tuple[StoredSweep, Run]:
        """Return a run with its sweep; `known` is a cache of sweeps, which new ones are added to."""
        sweep_id = sweep_id_of(run_id)
        known = {} if known is None else known
        sweep = known[sweep_id] if sweep_id in known else known.setdefault(sweep_id, self.runs.load_sweep(sweep_id))
        return sweep, sweep.run(run_id)

    def questions(self, sweep: StoredSweep) -> tuple[Question, ...]:
        """Return the questions of a sweep, in order."""
        return self.dataset(sweep).questions[: sweep.questions]

    def dataset(self, sweep: StoredSweep) -> Dataset:
        """Return the dataset version with which the sweep was created, with all questions."""
        return self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)

    def page(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int = 50,
        find: str = "",
        order: str = NUMBER,
        is_descending: bool = False,
        failed_only: bool = False,
    ) -> EvaluationPage:
        """Return the questions after a place, with answers and scores; those without an answer yet are pending.

        `find` keeps those whose text or reference holds all its words; `order` is NUMBER or one of the 24 columns, and
        questions without a value come last either way.
        """
        questions = self.questions(self._sweep(run_id))
        numbers: Sequence[int] = range(len(questions))
        if failed_only:
            stored = self.evaluations.evaluations(run_id, with_scores=False, failed_only=True)
            numbers = [evaluation.number for evaluation in stored]
        if words := words_of(find):
            numbers = [
                number for number in numbers if holds((questions[number].text, *questions[number].references), words)
            ]
        numbers = self._ordered(run_id, numbers, order=order, is_descending=is_descending)
        shown = numbers[after + 1 : after + 1 + limit]
        following = after + len(shown)
        return EvaluationPage(
            items=self._rows(run_id, shown, questions),
            next=following if following + 1 < len(numbers) else None,
            total=len(numbers),
        )

    def _ordered(self, run_id: str, numbers: Sequence[int], *, order: str, is_descending: bool) -> Sequence[int]:
        """Sort questions; equal ones keep the order of the dataset."""
        check_order(order)
        if order == NUMBER:
            return numbers[::-1] if is_descending else numbers
        scores, column = self.evaluations.run_scores(run_id), VECTOR_ORDER.index(order)
        sign = -1.0 if is_descending else 1.0
        values = {
            number: sign * float(scores.table.values[row, column])
            for row, number in enumerate(scores.numbers)
            if scores.table.reasons[row][column] is None
        }
        return sorted(numbers, key=lambda number: (number not in values, values.get(number, 0.0)))

    def _rows(self, run_id: str, numbers: Sequence[int], questions: Sequence[Question]) -> tuple[EvaluationRow, ...]:
        """Return the rows of these questions, in this order."""
        found = self._stored(run_id, numbers)
        answers = self.evaluations.answers([e.answer_key for e in found.values() if e.answer_key])
        rows = []
        for number in numbers:
            question = questions[number]
            evaluation = found.get(number) or _pending(run_id, number, question)
            answer = answers.get(evaluation.answer_key or "")
            rows.append(EvaluationRow(question=question, answer=answer and answer.text, evaluation=evaluation))
        return tuple(rows)

    def _stored(self, run_id: str, numbers: Sequence[int]) -> dict[int, Evaluation]:
        """Read evaluations by number: a contiguous range in one query, others one by one."""
        if not numbers:
            return {}
        first, last = min(numbers), max(numbers)
        if last - first < len(numbers):
            stored = self.evaluations.evaluations(run_id, after=first - 1, limit=len(numbers))
            return {evaluation.number: evaluation for evaluation in stored}
        singles = (self.evaluations.evaluations(run_id, after=number - 1, limit=1) for number in numbers)
        return {item.number: item for single in singles for item in single if item.number in numbers}

    def _sweep(self, run_id: str) -> StoredSweep:
        """Return a run's sweep without the counts of its questions, which would take longer than the page itself."""
        sweep = self.runs.load_sweep(sweep_id_of(run_id), counted=False)
        sweep.run(run_id)
        return sweep

    def detail(self, run_id: str, number: int) -> EvaluationDetail:
        """Return one question under one configuration with all details."""
        sweep, run = self.run(run_id)
        dataset = self.dataset(sweep)
        questions = dataset.questions[: sweep.questions]
        if not 0 <= number < len(questions):
            raise NotFoundError(sentence("problem.no-question", run=run_id, n=len(questions)))
        question = questions[number]
        evaluation = self._stored(run_id, (number,)).get(number) or _pending(run_id, number, question)
        key = evaluation.answer_key
        found = self.evaluations.rankings(sweep.id, run.config.ranked_by, [question.id]).get(question.id)
        answer = self.evaluations.answers([key]).get(key) if key else None
        keys = PairKeys(run.scored_by, dataset.language, sweep.id if sweep.sweep.timing else None)
        return EvaluationDetail(
            run=run,
            question=question,
            evaluation=evaluation,
            passages=found.passages if found else (),
            gold_ids=found.gold_ids if found else None,
            embedding_s=found.embedding_s if found else 0.0,
            retrieval_s=found.retrieval_s if found else 0.0,
            rewriting=found.rewriting if found else None,
            prompt=self.evaluations.prompt(evaluation.prompt_digest) if evaluation.prompt_digest else None,
            answer=answer,
            best_references=self._best_references(question, answer, run, keys),
        )

    def _best_references(
        self, question: Question, answer: Answer | None, run: Run, keys: PairKeys
    ) -> dict[str, int] | None:
        """Return which of several right answers gave each score."""
        if answer is None or not question.other_references:
            return None
        pairs = keys.of(question.references, answer.text, run.config.profile)
        known = self.evaluations.pairs(list(pairs))
        return best_places([known[pair] for pair in pairs]) if len(known) == len(pairs) else None


def _pending(run_id: str, number: int, question: Question) -> Evaluation:
    """Return the evaluation of a question that was not reached yet."""
    return Evaluation(run_id=run_id, number=number, question_id=question.id)


@dataclass(frozen=True)
class OneOffAnswers:
    """Asks with the run's model, options and prompt, and with the passages that it retrieved."""

    run_browser: RunBrowser
    question_runner: QuestionRunner

    def ask(
        self, run_id: str, number: int, policy: RetrievalPolicy, *, retrieved: Retrieved = lambda _: None
    ) -> AnsweredQuestion:
        """Make one attempt; an answer that is stored for the same prompt is returned without asking the model.

        Raises NotFoundError if it does not exist, ConflictError before its passages are retrieved, and GenerationError
        or UnavailableError if the model gives no answer.
        """
        detail = self.run_browser.detail(run_id, number)
        if policy.depth and not detail.passages:
            raise ConflictError(sentence("problem.no-passages-yet", number=number))
        sweep = self.run_browser.run(run_id)[0]
        config = detail.run.config.model_copy(update={"retrieval": policy})
        frozen = next((each for each in sweep.templates if each.name == config.prompt), None)
        return self.question_runner.ask_with(
            _asked(detail, config),
            config=config,
            ranking=Ranking(
                passages=detail.passages,
                gold_ids=detail.gold_ids,
                embedding_s=detail.embedding_s,
                retrieval_s=detail.retrieval_s,
            ),
            frozen=frozen,
            model_info=detail.run.model_info,
            language=self.run_browser.dataset(sweep).language,
            metadata=detail.question.metadata,
            stored=self.run_browser.evaluations.answers,
            retrieved=retrieved,
        )


def _asked(detail: EvaluationDetail, config: RunConfig) -> SingleQuestion:
    settings = {name: getattr(config, name) for name in AnswerSettings.model_fields}
    asked = detail.question
    return SingleQuestion(
        question=asked.text, reference=asked.reference, other_references=asked.other_references, **settings
    )
