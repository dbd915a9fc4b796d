"""Requests under way: one per distinct prompt. Those of a model server that is gone are parked until it is back."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue

from passer.domain.answer import Answer, GenerationRequest
from passer.domain.dataset import Question
from passer.domain.run import Evaluation, Run, Server
from passer.errors import GenerationError, GeneratorUnavailable, PasserError
from passer.ports import Clock, Engine
from passer.services.run_states import RunStates

log = logging.getLogger(__name__)

PROBE_AFTER_S = (1.0, 2.0, 5.0, 10.0, 30.0)
"""When a vanished model server is asked again; the last one repeats."""

Arrived = SimpleQueue[Callable[[], None]]
"""What other threads brought back, to be taken in by the one that writes."""


@dataclass(frozen=True)
class Task:
    """One evaluation that is not done; `before` is what an earlier process committed of it."""

    run: Run
    number: int
    question: Question
    before: Evaluation | None = None


Waiting = tuple[Task, Evaluation]
"""An evaluation that waits for something, with its task."""


@dataclass
class _Asked:
    request: GenerationRequest
    waiting: list[Waiting] = field(default_factory=list)
    future: Future[Answer] | None = None
    """What the engine promised; None while it is parked."""

    @property
    def server(self) -> Server:
        return self.request.model.server


@dataclass
class _Outage:
    """One model server that is gone."""

    since: float
    """When it was first missed, by the clock's seconds."""
    parked: list[str] = field(default_factory=list)
    """Keys of its requests."""
    paused: set[str] = field(default_factory=set)
    """Ids of the runs that wait for it."""
    probing: str | None = None
    """Key of the request that is out to see whether it is back."""
    probes: int = 0
    probe_at: float = 0.0


class Asking:
    """Asks the engine; `answered` and `failed` are called in the writing thread for all that waited."""

    def __init__(
        self,
        *,
        engine: Engine,
        arrived: Arrived,
        states: RunStates,
        clock: Clock,
        answered: Callable[[list[Waiting], Answer], None],
        failed: Callable[[list[Waiting], str], None],
    ) -> None:
        self._engine, self._arrived, self._states, self._clock = engine, arrived, states, clock
        self._answered, self._failed = answered, failed
        self._asked: dict[str, _Asked] = {}
        self._under_way: dict[Server, int] = {}
        self._outages: dict[Server, _Outage] = {}

    def __len__(self) -> int:
        return len(self._asked)

    def __contains__(self, key: str) -> bool:
        return key in self._asked

    @property
    def servers(self) -> frozenset[Server]:
        """Who was asked something and has not answered."""
        return frozenset(self._under_way)

    @property
    def is_busy(self) -> bool:
        """Whether a server that is there has not answered yet."""
        return any(not self.is_gone(server) for server in self._under_way)

    def under_way(self, server: Server) -> int:
        """Requests that a server has not answered."""
        return self._under_way.get(server, 0)

    def waited_s(self, server: Server) -> float:
        """How long a model server has been gone; 0 while it is there."""
        outage = self._outages.get(server)
        return self._clock.monotonic() - outage.since if outage else 0.0

    def is_gone(self, server: Server) -> bool:
        """Whether a model server is gone."""
        return server in self._outages

    def ask(self, request: GenerationRequest, waiting: Waiting) -> None:
        """Ask; or wait with those that asked the same already."""
        if request.key in self._asked:
            self._asked[request.key].waiting.append(waiting)
            return
        server = request.model.server
        self._asked[request.key] = _Asked(request, [waiting])
        self._under_way[server] = self.under_way(server) + 1
        self._send(request.key)

    def probe(self) -> None:
        """While a server is gone, one request at a time goes out to see whether it is back."""
        for outage in list(self._outages.values()):
            if outage.parked and outage.probing is None and self._clock.monotonic() >= outage.probe_at:
                outage.probing = outage.parked.pop(0)
                self._send(outage.probing)

    def drop(self, run_id: str) -> None:
        """Nobody waits for a stopped run's answers: what was not sent for it alone never is."""
        for key, asked in list(self._asked.items()):
            asked.waiting = [(task, evaluation) for task, evaluation in asked.waiting if task.run.id != run_id]
            if not asked.waiting and (asked.future is None or asked.future.cancel()):
                self._forget(key)
        for server in list(self._outages):
            self._end_if_empty(server)

    def _send(self, key: str) -> None:
        asked = self._asked[key]
        future = asked.future = self._engine.generate(asked.request)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_answer(key, done)))

    def _on_answer(self, key: str, future: Future[Answer]) -> None:
        if key not in self._asked or self._asked[key].future is not future:
            return
        server = self._asked[key].server
        try:
            answer = future.result()
        except GeneratorUnavailable as exc:
            self._park(key, exc.message)
        except GenerationError as exc:
            self._is_back(server)
            self._failed(self._forget(key), exc.message)
        except Exception as exc:
            # One odd reply costs its own question, never the sweep.
            log.exception("request %s failed", key)
            said = exc.message if isinstance(exc, PasserError) else "PaSSER itself failed: look at the log, then retry."
            self._failed(self._forget(key), said)
            self._end_if_empty(server)
        else:
            self._is_back(server)
            self._answered(self._forget(key), answer)

    def _forget(self, key: str) -> list[Waiting]:
        """A request is over; those that waited for it."""
        asked = self._asked.pop(key)
        left = self._under_way[asked.server] - 1
        if left:
            self._under_way[asked.server] = left
        else:
            del self._under_way[asked.server]
        outage = self._outages.get(asked.server)
        if outage and outage.probing == key:
            outage.probing = None
        if outage and key in outage.parked:
            outage.parked.remove(key)
        return asked.waiting

    def _park(self, key: str, reason: str) -> None:
        """The model server is gone: keep the request, say so, and ask again later."""
        asked, now = self._asked[key], self._clock.monotonic()
        asked.future = None
        asked.waiting = [(task, evaluation) for task, evaluation in asked.waiting if self._states.is_live(task.run.id)]
        is_first = asked.server not in self._outages
        outage = self._outages.setdefault(asked.server, _Outage(since=now))
        if is_first or key == outage.probing:
            outage.probing = None
            outage.probe_at = now + PROBE_AFTER_S[min(outage.probes, len(PROBE_AFTER_S) - 1)]
            outage.probes += 1
        if not asked.waiting:
            self._forget(key)
            self._end_if_empty(asked.server)
            return
        outage.parked.append(key)
        waiting = {task.run.id for task, _ in asked.waiting}
        outage.paused |= waiting
        self._states.pause(waiting, reason)

    def _is_back(self, server: Server) -> None:
        """The model server answers: whatever it says, it is back."""
        outage = self._outages.pop(server, None)
        if outage is None:
            return
        for key in outage.parked:
            self._send(key)
        self._states.go_on(outage.paused)

    def _end_if_empty(self, server: Server) -> None:
        """Nothing is left to probe with: the next request will find out."""
        outage = self._outages.get(server)
        if outage and not (outage.parked or outage.probing):
            self._is_back(server)
