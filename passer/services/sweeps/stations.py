"""Queues of evaluations between two steps of a sweep."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion
from passer.ports import PairFact
from passer.services.sweeps.commit_log import CommitLog
from passer.services.sweeps.context import SweepContext
from passer.services.sweeps.ranking_batcher import RankedTask, RankingBatcher
from passer.services.sweeps.request_pool import Arrived, RequestPool
from passer.services.sweeps.run_states import RunStates
from passer.services.sweeps.score_batcher import ScoreBatcher
from passer.services.sweeps.tasks import Waiting

LATEST = 5
"""Answers that are kept to be shown while a sweep runs."""


class Steps(Protocol):
    """Steps that take evaluations out of a station."""

    def prompt(self, ranked: Sequence[RankedTask]) -> None: ...

    def answered(self, waiting: Sequence[Waiting], request: ChatRequest, completion: Completion) -> None: ...

    def failed(self, waiting: Sequence[Waiting], reason: str) -> None: ...

    def score(self, waiting: Waiting, answer: Answer) -> None: ...

    def scored(self, waiting: Sequence[Waiting], key: str, fact: PairFact | None) -> None: ...


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
            is_timed=context.is_timed,
        ),
        log=commits,
        arrived=arrived,
    )
