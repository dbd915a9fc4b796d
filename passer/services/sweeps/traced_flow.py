"""The steps of the questions of a sweep, with a trace of each for external observers.

Sweeps without observers are run by `QuestionFlow` itself, so that they have no overhead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.retrieval.passages import RetrievedPassage
from passer.domain.score import Scores
from passer.domain.sweeps.run import Evaluation
from passer.ports import Generation, PairFact, QuestionTrace, Retrieval, Scoring, Span, TracedQuestion, Traces
from passer.services.pipeline.answerer import PreparedQuestion
from passer.services.sweeps.context import SweepContext
from passer.services.sweeps.progress_meter import ProgressMeter
from passer.services.sweeps.ranking_batcher import RankedTask
from passer.services.sweeps.run_states import RunStates
from passer.services.sweeps.runner import QuestionFlow
from passer.services.sweeps.stop_conditions import CircuitBreaker
from passer.services.sweeps.tasks import Task, Waiting


@dataclass
class _Open:
    """Spans so far of a question that is not done."""

    began: datetime
    ranked_at: datetime | None = None
    passages: Sequence[RetrievedPassage] = ()
    messages: Sequence[Message] = ()
    replied_at: datetime | None = None
    """None where the answer was stored before, or nothing was asked."""
    answered_at: datetime | None = None
    answer: Answer | None = None


class TracedFlow(QuestionFlow):
    """Notes when each step of a question is done, and hands on its trace at the end."""

    def __init__(
        self, context: SweepContext, states: RunStates, meter: ProgressMeter, breaker: CircuitBreaker, *, traces: Traces
    ) -> None:
        self._traces = traces
        self._open: dict[tuple[str, int], _Open] = {}
        super().__init__(context, states, meter, breaker)

    def retrieve(self, tasks: Sequence[Task]) -> None:
        """Begin a trace of each."""
        now = self._context.clock.now()
        self._open.update({(task.run.id, task.number): _Open(began=now) for task in tasks})
        super().retrieve(tasks)

    def prompt(self, ranked: Sequence[RankedTask]) -> None:
        """Note which passages are kept of the ranking."""
        now = self._context.clock.now()
        for task, ranking in ranked:
            policy = task.run.config.retrieval
            if policy.depth:
                kept, noted = ranking.cut(policy), self._noted(task)
                noted.ranked_at, noted.passages = now, ranking.passages[kept.start : kept.stop]
        super().prompt(ranked)

    def generate(self, prepared: Sequence[tuple[Task, PreparedQuestion]]) -> None:
        """Note the prompt."""
        for task, question in prepared:
            self._noted(task).messages = question.prompt.messages
        super().generate(prepared)

    def answered(self, waiting: Sequence[Waiting], request: ChatRequest, completion: Completion) -> None:
        """Note when the model had answered."""
        now = self._context.clock.now()
        for task, _ in waiting:
            self._noted(task).replied_at = now
        super().answered(waiting, request, completion)

    def score(self, waiting: Waiting, answer: Answer) -> None:
        """Note the answer as it is stored, and keep the rest of the trace until its scores are stored."""
        noted = self._noted(waiting[0])
        # The reply ends the generation, not its commit; a stored answer had no reply.
        noted.answered_at, noted.answer = noted.replied_at or self._context.clock.now(), answer
        super().score(waiting, answer)

    def scored(self, waiting: Sequence[Waiting], key: str, facts: Sequence[PairFact]) -> None:
        """Hand on the traces."""
        super().scored(waiting, key, facts)
        # Of several references, the fact with this key has the best scores. Without one they were known before.
        fact = next((each for each in facts if each.key == key), None)
        scores = fact.scores if fact else self._context.evaluations.pairs([key]).get(key, {})
        for task, evaluation in waiting:
            self._forward(task, evaluation, scores=scores, scored_s=fact.scoring_s if fact else 0.0)

    def failed(self, waiting: Sequence[Waiting], reason: str) -> None:
        """Hand on the traces, with the reason."""
        super().failed(waiting, reason)
        for task, evaluation in waiting:
            self._forward(task, evaluation, failure=reason)

    def _noted(self, task: Task) -> _Open:
        return self._open[task.run.id, task.number]

    def _forward(
        self,
        task: Task,
        evaluation: Evaluation,
        *,
        scores: Scores | None = None,
        scored_s: float = 0.0,
        failure: str | None = None,
    ) -> None:
        noted, now = self._open.pop((task.run.id, task.number)), self._context.clock.now()
        self._traces.record(
            QuestionTrace(
                span=Span(noted.began, now),
                question=task.question.text,
                model=task.run.config.model,
                asked=TracedQuestion(self._context.sweep.id, task.run.id, task.question.id),
                retrieval=Retrieval(Span(noted.began, noted.ranked_at), noted.passages) if noted.ranked_at else None,
                generation=_generation(noted, evaluation),
                scoring=Scoring(Span(now - timedelta(seconds=scored_s), now), scores) if scores else None,
                failure=failure,
            )
        )


def _generation(noted: _Open, evaluation: Evaluation) -> Generation | None:
    """Return what the model did; it lasts as long as it was asked, and no time where the answer was there before."""
    if noted.answer is None or noted.answered_at is None or evaluation.prompt_digest is None:
        return None
    is_reused = evaluation.reused or noted.replied_at is None
    seconds = 0.0 if is_reused else noted.answer.generation_s
    span = Span(noted.answered_at - timedelta(seconds=seconds), noted.answered_at)
    return Generation(span, noted.messages, noted.answer, is_reused)
