"""Looking at what runs left: a page of evaluations, and one of them with everything that came of it."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.answer import Answer, Prompt
from passer.domain.base import Frozen
from passer.domain.dataset import Question
from passer.domain.retrieval import RetrievedPassage
from passer.domain.run import Evaluation, Run
from passer.errors import NotFoundError
from passer.ports import DatasetStore, EvaluationStore, RunStore, StoredSweep


class EvaluationRow(Frozen):
    """One line of a run's question list."""

    question: Question
    """What was asked."""
    answer: str | None
    """What was answered; None while there is none."""
    evaluation: Evaluation
    """How it went."""


class EvaluationPage(Frozen):
    """A page of a run's questions, in dataset order."""

    items: tuple[EvaluationRow, ...]
    """The rows."""
    next: int | None
    """Number after which the next page begins; None at the end."""


class EvaluationDetail(Frozen):
    """One question under one configuration, whole."""

    run: Run
    """Under which configuration."""
    question: Question
    """What was asked, and the reference."""
    evaluation: Evaluation
    """Its state and scores."""
    passages: tuple[RetrievedPassage, ...]
    """All that were retrieved, nearest first; those in `evaluation.kept` were shown to the model."""
    gold_ids: tuple[str, ...] | None
    """Ids of all passages that hold the answer, retrieved or not; None where that is not known."""
    embedding_s: float
    """Seconds to embed the question."""
    retrieval_s: float
    """Seconds to search."""
    prompt: Prompt | None
    """What the model was asked; None when nothing was asked."""
    answer: Answer | None
    """What it said."""


@dataclass(frozen=True)
class Inspecting:
    """Reads what is stored; changes nothing."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore

    def run(self, run_id: str, *, known: dict[str, StoredSweep] | None = None) -> tuple[StoredSweep, Run]:
        """A run with its sweep; sweeps that are `known` are not loaded again, and new ones are put there."""
        sweep_id = run_id.rpartition("-")[0]
        missing = NotFoundError(f"There is no run {run_id!r}: `passer runs` lists those that there are.")
        if not sweep_id:
            raise missing
        known = {} if known is None else known
        sweep = known[sweep_id] if sweep_id in known else known.setdefault(sweep_id, self.runs.load_sweep(sweep_id))
        for run in sweep.runs:
            if run.id == run_id:
                return sweep, run
        raise missing

    def questions(self, sweep: StoredSweep) -> tuple[Question, ...]:
        """The questions of a sweep, in order."""
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        return dataset.questions[: sweep.questions]

    def failed(self, run_id: str, *, after: int = -1, limit: int = 50) -> EvaluationPage:
        """Questions after that number that have no answer, with the reasons."""
        questions = self.questions(self._sweep(run_id))
        stored = self.evaluations.evaluations(run_id, after=after, limit=limit + 1, failed_only=True)
        rows = [EvaluationRow(question=questions[each.number], answer=None, evaluation=each) for each in stored[:limit]]
        return EvaluationPage(items=tuple(rows), next=stored[limit - 1].number if len(stored) > limit else None)

    def page(self, run_id: str, *, after: int = -1, limit: int = 50) -> EvaluationPage:
        """Questions after that number, with answers and scores; those not reached yet are pending."""
        questions = self.questions(self._sweep(run_id))
        numbers = range(after + 1, min(after + 1 + limit, len(questions)))
        stored = self.evaluations.evaluations(run_id, after=after, limit=limit)
        found = {evaluation.number: evaluation for evaluation in stored}
        answers = self.evaluations.answers([e.answer_key for e in stored if e.answer_key])
        rows = []
        for number in numbers:
            question = questions[number]
            pending = Evaluation(run_id=run_id, number=number, question_id=question.id)
            evaluation = found.get(number, pending)
            answer = answers.get(evaluation.answer_key or "")
            rows.append(EvaluationRow(question=question, answer=answer and answer.text, evaluation=evaluation))
        last = numbers[-1] if numbers else None
        return EvaluationPage(items=tuple(rows), next=last if last is not None and last + 1 < len(questions) else None)

    def _sweep(self, run_id: str) -> StoredSweep:
        """The sweep of a run, for its questions: counting them all for one page would take longer than the page."""
        sweep = self.runs.load_sweep(run_id.rpartition("-")[0], counted=False)
        if all(run.id != run_id for run in sweep.runs):
            raise NotFoundError(f"There is no run {run_id!r}: `passer runs` lists those that there are.")
        return sweep

    def detail(self, run_id: str, number: int) -> EvaluationDetail:
        """One question under one configuration, whole."""
        sweep, run = self.run(run_id)
        questions = self.questions(sweep)
        if not 0 <= number < len(questions):
            raise NotFoundError(f"Run {run_id} has questions 0 to {len(questions) - 1}: there is no number {number}.")
        row = self.page(run_id, after=number - 1, limit=1).items[0]
        evaluation = row.evaluation
        ranking = self.evaluations.rankings(sweep.id, run.config.collection, question_id=row.question.id)
        found = ranking.get(row.question.id)
        return EvaluationDetail(
            run=run,
            question=row.question,
            evaluation=evaluation,
            passages=found.passages if found else (),
            gold_ids=found.gold_ids if found else None,
            embedding_s=found.embedding_s if found else 0.0,
            retrieval_s=found.retrieval_s if found else 0.0,
            prompt=self.evaluations.prompt(evaluation.prompt_digest) if evaluation.prompt_digest else None,
            answer=self.evaluations.answers([evaluation.answer_key]).get(evaluation.answer_key)
            if evaluation.answer_key
            else None,
        )
