"""Queues of evaluations between two steps of a sweep, and its facts that are not committed yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion
from passer.ports import EvaluationFact, EvaluationStore, Fact, PairFact
from passer.services.sweeps.context import SweepContext
from passer.services.sweeps.ranking_batcher import RankedTask, RankingBatcher
from passer.services.sweeps.request_pool import Arrived, RequestPool
from passer.services.sweeps.run_states import RunStates
from passer.services.sweeps.score_batcher import ScoreBatcher
from passer.services.sweeps.tasks import Waiting

LATEST = 5
"""Answers that are kept to be shown while a sweep runs."""


class CommitLog:
    """Collects facts and commits them together, so that a process that dies at any moment leaves a consistent state.

    `committed` is called with each answer once it is in the store; it is not scored before.
    """

    def __init__(
        self,
        evaluations: EvaluationStore,
        *,
        renew: Callable[[], None],
        committed: Callable[[Waiting, Answer], None],
    ) -> None:
        self._evaluations, self._renew, self._committed = evaluations, renew, committed
        self._facts: list[Fact] = []
        self._answered: list[tuple[Waiting, Answer]] = []

    def __len__(self) -> int:
        return len(self._facts)

    def add(self, *facts: Fact) -> None:
        """Keep facts for the next commit, in order."""
        self._facts.extend(facts)

    def answered(self, waiting: Waiting, answer: Answer) -> None:
        """Keep that an evaluation has its answer."""
        task, evaluation = waiting
        moved = evaluation.model_copy(update={"state": "answered", "answer_key": answer.key})
        if task.run.config.model.is_outside:
            # There is no ranking to cut: the passages that the system reports are counted instead.
            moved = moved.model_copy(update={"kept": (0, len(answer.passages))})
        self._facts.append(EvaluationFact(moved))
        self._answered.append(((task, moved), answer))

    def commit(self) -> None:
        """Commit everything; LeaseError if another process has taken over."""
        if self._facts:
            # Immediately before the commit: another process may have taken over since the last one (decision 005).
            self._renew()
            # Not put back if the commit fails: the sweep stops then, and the next process computes them again.
            facts, self._facts = self._facts, []
            self._evaluations.record(facts)
        answered, self._answered = self._answered, []
        keys = list({answer.key for _, answer in answered})
        # Where another process answered the same prompt first, the store keeps its text: that one is scored.
        stored = self._evaluations.answers(keys) if keys else {}
        for waiting, answer in answered:
            self._committed(waiting, stored.get(answer.key, answer))


class Steps(Protocol):
    """Steps that take evaluations out of a station."""

    def prompt(self, ranked: Sequence[RankedTask]) -> None: ...

    def answered(self, waiting: Sequence[Waiting], request: ChatRequest, completion: Completion) -> None: ...

    def failed(self, waiting: Sequence[Waiting], reason: str) -> None: ...

    def score(self, waiting: Waiting, answer: Answer) -> None: ...

    def scored(self, waiting: Sequence[Waiting], key: str, facts: Sequence[PairFact]) -> None: ...


@dataclass(frozen=True)
class Stations:
    """Evaluations that wait for a ranking, for a reply, for scores, for the commit."""

    rankings: RankingBatcher
    requests: RequestPool[Waiting]
    scores: ScoreBatcher
    log: CommitLog
    arrived: Arrived
    """Results of the engine's threads."""
    latest: deque[tuple[Waiting, Answer]] = field(default_factory=lambda: deque(maxlen=LATEST))
    """The last answers of models, newest last, each with one of the evaluations that waited for it."""


def stations_of(context: SweepContext, states: RunStates, steps: Steps) -> Stations:
    """Return the stations of a sweep, each connected to the step that comes after it."""
    arrived = Arrived()
    commits = CommitLog(context.evaluations, renew=context.renew, committed=steps.score)
    return Stations(
        rankings=RankingBatcher(context, arrived=arrived, found=commits.add, ranked=steps.prompt),
        requests=RequestPool[Waiting](
            engine=context.engine,
            arrived=arrived,
            clock=context.clock,
            owners=states,
            owner_of=lambda waiting: waiting[0].run.id,
            completed=steps.answered,
            failed=steps.failed,
        ),
        scores=ScoreBatcher(
            engine=context.engine,
            arrived=arrived,
            evaluations=context.evaluations,
            scored_by=context.scored_by,
            language=context.language,
            clock=context.clock,
            scored=steps.scored,
            timed=context.sweep.id if context.is_timed else None,
        ),
        log=commits,
        arrived=arrived,
    )
