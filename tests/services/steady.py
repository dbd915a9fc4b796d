"""A model server of constant speed under a clock that moves from one thing that happens to the next."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from random import Random

from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.score import Scores, VectorProfile
from passer.ports.draft import Draft
from tests.fake_models import FakeChatModel
from tests.fakes import FakeScorer


class _Outcome(Future):
    """A future that knows whether its outcome was taken in."""

    taken = False

    def result(self, timeout: float | None = None) -> object:
        self.taken = True
        return super().result(timeout)


MOST_LOOKS = 2_000
"""Looks at the clock without anything that happens, after which a simulation stands still; 67 were seen."""
MOST_S = 200_000.0
"""Simulated seconds after which a simulation goes in circles; the longest takes 16,400."""


class EventClock:
    """A look at it lets the next thing happen, once the last one was taken in; it is the moment of that thing."""

    def __init__(self) -> None:
        self.time = 0.0
        self._looks = 0
        self._events: list[tuple[float, int, _Outcome, Callable[[], object]]] = []
        self._order = itertools.count()
        self.forget()

    def later(self, time: float, act: Callable[[], object]) -> Future:
        future = _Outcome()
        heapq.heappush(self._events, (time, next(self._order), future, act))
        return future

    def forget(self) -> None:
        """What is still to happen never will."""
        self._events.clear()
        self._last = _Outcome()
        self._last.taken = True

    def monotonic(self) -> float:
        self._looks += 1
        # Said by the simulation itself: a test that only runs into its time limit does not show what it waited for.
        assert self._looks < MOST_LOOKS, f"nothing happens any more: {len(self._events)} to come, last {self._last}"
        assert self.time < MOST_S, f"things happen for ever: {len(self._events)} to come, last {self._last}"
        while self._events and self._last.taken:
            self.time, _, future, act = heapq.heappop(self._events)
            if future.set_running_or_notify_cancel():
                self._last, self._looks = future, 0
                future.set_result(act())
        return self.time

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.time)


class SteadyEngine:
    """So many slots at each server, each answer within `latency_s` give or take `jitter`; one thread that scores."""

    def __init__(
        self,
        clock: EventClock,
        *,
        slots: int = 4,
        latency_s: Callable[[ChatRequest], float] = lambda request: 1.0,
        jitter: float = 0.3,
        scoring_s: float = 0.01,
        seed: int = 1,
    ) -> None:
        self._clock, self._slots, self._latency_s, self._scoring_s = clock, slots, latency_s, scoring_s
        self._jitter, self._chance = jitter, Random(seed)
        self._chat_model, self._scorer = FakeChatModel(), FakeScorer()
        self._free_at: dict[tuple[str, str | None], list[float]] = {}
        self._scorer_free_at = 0.0

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        slots = self._free_at.setdefault(request.model.server, [0.0] * self._slots)
        takes_s = self._latency_s(request) * self._chance.uniform(1 - self._jitter, 1 + self._jitter)
        done_at = max(self._clock.time, slots[0]) + takes_s
        heapq.heapreplace(slots, done_at)
        return self._clock.later(done_at, lambda: self._chat_model.complete(request))

    def retrieve(self, search: Callable[[], object]) -> Future:
        return self._clock.later(self._clock.time, search)

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en"
    ) -> Future[list[Scores]]:
        self._scorer_free_at = max(self._clock.time, self._scorer_free_at) + self._scoring_s * len(pairs)
        return self._clock.later(
            self._scorer_free_at, lambda: self._scorer.score(pairs, profile=profile, language=language)
        )

    def close(self) -> None:
        self._clock.forget()
        self._free_at.clear()
        self._scorer_free_at = 0.0
