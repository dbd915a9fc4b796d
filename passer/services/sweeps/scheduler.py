"""Scheduler of one sweep: the queues between its steps, their overlap, and the moments of its commits.

One thread, this one, decides and writes; the engine's threads search, ask and score. What they brought back since the
last commit is committed together: an answer with every evaluation that waits for it, scores likewise, so that a process
that dies at any moment leaves nothing half-made, and nothing committed is done again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty
from threading import Event
from time import monotonic
from typing import Protocol

from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Server
from passer.ports import EvaluationFact, EvaluationStore, Fact, PairFact
from passer.services.sweeps.context import SweepContext
from passer.services.sweeps.progress_meter import ProgressMeter, Stage
from passer.services.sweeps.ranking_batcher import RankedTask, RankingBatcher
from passer.services.sweeps.request_pool import Arrived, RequestPool
from passer.services.sweeps.run_states import RunStates
from passer.services.sweeps.score_batcher import ScoreBatcher
from passer.services.sweeps.tasks import Lanes, Task, Waiting

LATEST = 5
"""Answers that are kept to be shown while a sweep runs."""
TASKS_AT_ONCE = 64
"""Tasks that are begun together: their stored answers are read by one query."""
MOST_UNSCORED = 1024
"""Pairs that may wait for the encoder before more tasks are begun; bounds memory."""
CHAINS_AHEAD = 2
"""Chains per slot of a server: one in progress, and one that begins when it ends."""
# How soon a person's pause or cancel is seen; the lease itself lasts much longer.
HEARTBEAT_S = 1.0


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


class Flow(Protocol):
    """The steps of the questions of a sweep."""

    stations: Stations
    """Queues of evaluations between two steps."""

    def retrieve(self, tasks: Sequence[Task]) -> None:
        """Take a few tasks into the first step."""

    def keep_budget(self) -> None:
        """Drop requests beyond the budget."""


class Scheduler:
    """Keeps the stations of one sweep busy."""

    def __init__(self, context: SweepContext, states: RunStates, meter: ProgressMeter, flow: Flow) -> None:
        self._context, self._states, self._meter, self._flow = context, states, meter, flow
        stations = flow.stations
        self._rankings, self._requests, self._scores = stations.rankings, stations.requests, stations.scores
        self._log, self._arrived = stations.log, stations.arrived
        self._beat = float("-inf")

    def run(self, lanes: Lanes, stop: Event, *, patience_s: float | None = None) -> None:
        """Run until all work is done, `stop` is set, or only servers that were gone for `patience_s` are left."""
        left = dict(lanes)
        while not stop.is_set():
            self._heartbeat(left)
            self._rankings.send()
            for server in self._with_room(left):
                batch = _batch(left[server], least=1 if self._context.is_timed else TASKS_AT_ONCE)
                if not batch:
                    del left[server]
                self._flow.retrieve([task for task in batch if self._states.is_live(task.run.id)])
            self._flow.keep_budget()
            self._requests.probe()
            # A batch that is not full waits for more pairs, except where no further answer will come.
            self._scores.send(flush=not (left or self._requests or self._rankings.waiting))
            self._collect(left)
            self._commit()
            if not (left or self._rankings.waiting or self._requests or self._scores or self._log):
                self._commit(wait=True)
                self._meter.tick("done")
                break
            # The slot goes to a sweep whose model server is available: this one stays paused, and gets its turn again.
            if patience_s is not None and self._waited_s(left) > patience_s:
                break
        self._commit(wait=True)

    def _with_room(self, left: Lanes) -> list[Server]:
        """Servers whose tasks may be begun: not those that are gone, and none while the encoder is far behind."""
        there = [server for server in left if not self._requests.is_gone(server)]
        if self._context.is_timed:
            # No other work, retrieval included, may use the machine during a measurement.
            is_free = not (self._rankings.is_busy or self._requests.is_busy or self._scores or self._log)
            return there[:1] if is_free else []
        if len(self._scores) >= MOST_UNSCORED:
            return []
        return [server for server in there if self._is_below(server, self._context.look_ahead, CHAINS_AHEAD)]

    def _is_below(self, server: Server, requests: int, chains_per_slot: int) -> bool:
        """Return whether a server has fewer than the wanted requests in flight, or chains per slot.

        A chain takes one slot however long it is, so the number of requests does not show whether all slots are busy.
        Tasks without a ranking count for every server, to bound their number.
        """
        waiting = self._rankings.waiting
        is_short_of_chains = self._requests.chains(server) + waiting < chains_per_slot * self._context.slots
        return self._requests.in_flight(server) + waiting < requests or is_short_of_chains

    def _waited_s(self, left: Lanes) -> float:
        """Return the seconds without progress because every model server with open requests was away."""
        if self._scores or self._rankings.is_busy:
            return 0.0
        return min((self._requests.waited_s(server) for server in {*left, *self._requests.servers}), default=0.0)

    def _collect(self, left: Lanes) -> None:
        """Take in what arrives while something is in flight, until it is time to commit, or to begin more tasks."""
        # Facts of this turn, such as stored answers, wait for nothing: their evaluations are scored only after the
        # commit.
        until = monotonic() + (0.0 if self._log else self._context.group_for_s)
        while True:
            wait_s = until - monotonic() if self._is_in_flight(left) else 0.0
            try:
                act = self._arrived.get(timeout=wait_s) if wait_s > 0 else self._arrived.get_nowait()
            except Empty:
                return
            act()

    def _is_in_flight(self, left: Lanes) -> bool:
        """Return whether something will arrive, and no server is about to run out of tasks."""
        is_hungry = any(self._is_below(server, self._context.look_ahead // 2, 1) for server in self._with_room(left))
        is_in_flight = self._requests or self._scores.is_in_progress or self._rankings.is_in_flight
        return bool(is_in_flight) and not is_hungry

    def _commit(self, *, wait: bool = False) -> None:
        """Commit what has arrived and finish runs, with `wait` also those whose records are still being built."""
        self._log.commit()
        # No other work may use the machine during a measurement.
        self._states.finish(wait=wait or self._context.is_timed)

    def _heartbeat(self, left: Lanes) -> None:
        """Renew the lease, report progress, and drop the runs that a person cancelled or paused."""
        now = self._context.clock.monotonic()
        if now - self._beat < HEARTBEAT_S and not self._states.is_stopping:
            return
        self._beat = now
        # Although a thread renews the lease as well: only this call raises where it is lost, and so stops the sweep.
        self._context.renew()
        self._meter.tick(self._stage(left))
        self._context.memory.read(self._states.running)
        for run_id, is_final in self._states.poll_stopped().items():
            self._rankings.drop(run_id)
            # What a paused run has asked for is nearly paid for and will be wanted; a cancelled run frees its server.
            self._requests.drop(run_id, abort=is_final)
            self._meter.drop(run_id)

    def _stage(self, left: Lanes) -> Stage:
        if self._waited_s(left):
            return "waiting"
        is_first = self._rankings.is_busy and not (self._requests or self._scores)
        return "retrieving" if is_first else "answering"


def _batch(questions: Iterator[Sequence[Task]], *, least: int) -> list[Task]:
    """Take whole questions, until there are enough tasks: the prompts of one question are one chain."""
    batch: list[Task] = []
    for tasks in questions:
        batch += tasks
        if len(batch) >= least:
            break
    return batch
