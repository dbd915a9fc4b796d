"""Requests under way: one per distinct prompt, parked while the model server is gone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue

from passer.domain.dataset import Question
from passer.domain.run import Answer, Evaluation, GenerationRequest, Run
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
        self._parked: list[str] = []
        self._probing: str | None = None
        self._probes, self._probe_at, self._gone_since = 0, 0.0, 0.0

    def __len__(self) -> int:
        return len(self._asked)

    def __contains__(self, key: str) -> bool:
        return key in self._asked

    @property
    def waited_s(self) -> float:
        """How long the model server has been gone."""
        return self._clock.monotonic() - self._gone_since if self.is_waiting else 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether the model server is gone."""
        return bool(self._parked or self._probing)

    def ask(self, request: GenerationRequest, waiting: Waiting) -> None:
        """Ask; or wait with those that asked the same already."""
        if request.key in self._asked:
            self._asked[request.key].waiting.append(waiting)
            return
        self._asked[request.key] = _Asked(request, [waiting])
        self._send(request.key)

    def probe(self) -> None:
        """While the server is gone, one request at a time goes out to see whether it is back."""
        if self._parked and self._probing is None and self._clock.monotonic() >= self._probe_at:
            self._probing = self._parked.pop(0)
            self._send(self._probing)

    def drop(self, run_id: str) -> None:
        """Nobody waits for a stopped run's answers; what is parked for it alone is dropped."""
        for key in list(self._parked):
            asked = self._asked[key]
            asked.waiting = [(task, evaluation) for task, evaluation in asked.waiting if task.run.id != run_id]
            if not asked.waiting:
                self._parked.remove(key)
                del self._asked[key]

    def _send(self, key: str) -> None:
        future = self._engine.generate(self._asked[key].request)
        future.add_done_callback(lambda done: self._arrived.put(lambda: self._on_answer(key, done)))

    def _on_answer(self, key: str, future: Future[Answer]) -> None:
        try:
            answer = future.result()
        except GeneratorUnavailable as exc:
            self._park(key, exc.message)
        except GenerationError as exc:
            self._unpark()
            self._failed(self._asked.pop(key).waiting, exc.message)
        except Exception as exc:
            # One odd reply costs its own question, never the sweep.
            log.exception("request %s failed", key)
            said = exc.message if isinstance(exc, PasserError) else "PaSSER itself failed: look at the log, then retry."
            self._failed(self._asked.pop(key).waiting, said)
        else:
            self._unpark()
            self._answered(self._asked.pop(key).waiting, answer)

    def _park(self, key: str, reason: str) -> None:
        """The model server is gone: keep the request, say so, and ask again later."""
        asked = self._asked[key]
        asked.waiting = [(task, evaluation) for task, evaluation in asked.waiting if self._states.is_live(task.run.id)]
        if not self.is_waiting:
            self._gone_since = self._clock.monotonic()
        if key == self._probing or not self.is_waiting:
            self._probing = None
            self._probe_at = self._clock.monotonic() + PROBE_AFTER_S[min(self._probes, len(PROBE_AFTER_S) - 1)]
            self._probes += 1
        if not asked.waiting:
            del self._asked[key]
            return
        self._parked.append(key)
        self._states.pause({task.run.id for task, _ in asked.waiting}, reason)

    def _unpark(self) -> None:
        """The model server answers: whatever it says, it is back."""
        was_waiting = self.is_waiting
        self._probes, self._probing = 0, None
        parked, self._parked = self._parked, []
        for key in parked:
            self._send(key)
        if was_waiting:
            self._states.go_on()
