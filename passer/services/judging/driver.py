"""Runs recipes concurrently: while one waits for a reply, others are asked for; one thread commits all results."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from queue import Empty
from threading import Event
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from passer.domain.judging.ask import Ask, Embed
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.sweeps.budget import NOTHING, Budget, Spent
from passer.ports import Engine, Fact, Vectors
from passer.services.judging.asker import Asker, Attempt, JudgeContext, PreparedAsk, prepare
from passer.services.judging.tools import JudgingTools
from passer.services.sweeps.request_pool import Arrived, RequestOwners, RequestPool

log = logging.getLogger(__name__)

AT_ONCE = 64
"""Number of recipes that start together, so that one query reads their stored judgements."""
# How soon a person's cancel is seen; the lease itself lasts much longer.
HEARTBEAT_S = 1.0
COUNTED_AHEAD = 8
"""Requests in flight under a limit of tokens or money; at most this many are answered after the limit is reached."""
OWNER = "judge"
NO_LIMIT = Budget()

K = TypeVar("K")
R = TypeVar("R")


class Started(NamedTuple, Generic[K, R]):
    """A recipe to run, with the key under which its result is stored."""

    key: K
    recipe: Recipe[R]
    repeat: int = 1
    """Repetition of the judge; repetitions never share a judgement."""
    writer: JudgeContext | None = None
    """Another model that is asked the tasks which it names; None asks the judge everything."""

    def asked(self, task: str, judge: JudgeContext) -> JudgeContext:
        """Return the model that a task is asked of."""
        return self.writer if self.writer is not None and task in self.writer.tasks else judge


class Ended(NamedTuple, Generic[K, R]):
    """The result of a recipe."""

    key: K
    result: R | None
    """The recipe's return value; None if the recipe raised an exception."""
    judgement_keys: tuple[str, ...]
    """Keys of the judgements that the recipe used, in order; equal asks of two passages share one."""


@dataclass
class _Running(Generic[K, R]):
    started: Started[K, R]
    wanted: list[str] = field(default_factory=list)
    """Keys of the judgements that the recipe waits for, in order."""
    is_single: bool = False
    """True if the recipe asked for one judgement instead of a tuple."""
    used: list[str] = field(default_factory=list)
    missing: int = 0
    """Number of these judgements that have not arrived."""


class RecipeDriver(Generic[K, R]):
    """Runs the recipes of one judge to their end."""

    def __init__(
        self,
        tools: JudgingTools,
        engine: Engine,
        context: JudgeContext,
        *,
        ended: Callable[[Ended[K, R]], Sequence[Fact]],
        owners: RequestOwners,
        renew: Callable[[], None] = lambda: None,
        spend: Callable[[Spent], Sequence[Fact]] = lambda _: (),
        budget: Budget = NO_LIMIT,
        spent: Spent = NOTHING,
    ) -> None:
        """`ended` returns the facts to commit with a result; `renew` is called before each commit and each second."""
        self._tools, self._engine, self._context = tools, engine, context
        self._ended, self._renew, self._spend = ended, renew, spend
        self._arrived = Arrived()
        self._requests = RequestPool[Attempt](
            engine=engine,
            arrived=self._arrived,
            clock=tools.clock,
            owners=owners,
            owner_of=lambda _: OWNER,
            completed=lambda waiting, request, said: self._asker.completed(waiting, request, said),
            failed=lambda waiting, reason: self._asker.failed(waiting, reason),
        )
        self._facts: list[Fact] = []
        self._asker = Asker(
            context,
            tools.judgements,
            tools.evaluations,
            send=self._requests.send,
            keep=self._facts.append,
            judged=self._judged,
            budget=budget,
            counted=spent,
            clock=tools.clock,
            under_way=lambda: len(self._requests),
        )
        counts_tokens = budget.tokens is not None or budget.cost is not None
        self._look_ahead = min(tools.look_ahead, COUNTED_AHEAD) if counts_tokens else tools.look_ahead
        self._open = 0
        """Number of recipes that have not ended."""
        self._waiting: dict[str, list[_Running[K, R]]] = {}
        self._ready: deque[tuple[_Running[K, R], Any]] = deque()
        self._judgements: dict[str, Judgement] = {}
        self._beat = float("-inf")

    @property
    def spent(self) -> Spent:
        """Return the requests, tokens and time that were used so far."""
        return self._asker.spent

    @property
    def is_spent(self) -> bool:
        """Return whether a request was not sent because the budget is used up."""
        return self._asker.is_spent

    @property
    def stopped(self) -> str | None:
        """Return the reason why the judge is no longer asked; None while it is."""
        return self._asker.stopped

    def run(self, recipes: Iterator[Started[K, R] | None], stop: Event) -> bool:
        """Run all recipes; returns whether all have ended. Errors of the store and the lease pass through.

        An iterator that yields None has no further recipe before one of those that run has ended. False where `stop`
        is set, the budget is used up, or the judge fails again and again.
        """
        is_left = True
        while not stop.is_set():
            self._heartbeat()
            is_halted = self._asker.is_spent or self._asker.stopped is not None
            while is_left and not is_halted and self._has_room():
                batch = list(islice(recipes, min(AT_ONCE, self._look_ahead)))
                is_left = bool(batch)
                self._begin([started for started in batch if started is not None])
                is_halted = self._asker.is_spent or self._asker.stopped is not None
                if batch and batch[-1] is None and self._open:
                    break
            self._requests.probe()
            self._collect()
            self._commit()
            if not (self._open or is_left):
                return self._asker.stopped is None
            if is_halted and not self._requests:
                return False
        self._commit()
        # Nobody reads the replies any more, and a server would write all that were sent ahead.
        self._requests.drop(OWNER, abort=True)
        return False

    def _has_room(self) -> bool:
        # Recipes are bounded apart: one that waits for a judgement which another has asked for has no request of its
        # own.
        return len(self._requests) < self._look_ahead and self._open < 4 * self._look_ahead

    def _begin(self, batch: Sequence[Started[K, R]]) -> None:
        for started in batch:
            self._open += 1
            self._ready.append((_Running(started), None))
        self._advance()

    def _advance(self) -> None:
        """Advance all recipes whose replies arrived, until each waits for a reply or has ended."""
        while self._ready:
            wanted: list[PreparedAsk] = []
            while self._ready:
                running, reply = self._ready.popleft()
                wanted += self._next(running, reply)
            # One query for all of them; those that are known make their recipes ready again.
            self._asker.want(wanted)

    def _next(self, running: _Running[K, R], reply: Any) -> list[PreparedAsk]:
        """Send a recipe its reply and return the asks that it wants next."""
        try:
            said = running.started.recipe.send(reply)
            if isinstance(said, Embed):
                self._embed(running, said)
                return []
            asks = (said,) if isinstance(said, Ask) else said
            started = running.started
            prepared = [prepare(started.asked(ask.task, self._context), ask, repeat=started.repeat) for ask in asks]
        except StopIteration as stopped:
            self._end(running, stopped.value)
            return []
        except Exception:
            # One recipe that fails costs its own cells, never the assessment.
            log.exception("the recipe of %r failed", running.started.key)
            self._end(running, None)
            return []
        running.is_single = isinstance(said, Ask)
        running.wanted = [ask.key for ask in prepared]
        running.used += running.wanted
        distinct = set(running.wanted)
        running.missing = len(distinct)
        for key in distinct:
            self._waiting.setdefault(key, []).append(running)
        if not distinct:
            self._ready.append((running, ()))
        return prepared

    def _judged(self, judgement: Judgement) -> None:
        """Pass a judgement to all recipes that wait for it."""
        for running in self._waiting.pop(judgement.key, ()):
            self._judgements[judgement.key] = judgement
            running.missing -= 1
            if not running.missing:
                found = tuple(self._judgements[key] for key in running.wanted)
                self._ready.append((running, found[0] if running.is_single else found))

    def _embed(self, running: _Running[K, R], wanted: Embed) -> None:
        future = self._engine.retrieve(partial(self._tools.embed, wanted.texts))

        def on_vectors(done: Future[Vectors]) -> None:
            self._arrived.put(lambda: self._ready.append((running, done.result())))

        future.add_done_callback(on_vectors)

    def _end(self, running: _Running[K, R], result: R | None) -> None:
        self._open -= 1
        started = running.started
        self._facts += self._ended(Ended(started.key, result, tuple(running.used)))

    def _collect(self) -> None:
        """Process arriving replies until it is time to commit."""
        until = monotonic() + (0.0 if self._facts else self._tools.group_for_s)
        while True:
            wait_s = until - monotonic() if self._open else 0.0
            try:
                act = self._arrived.get(timeout=wait_s) if wait_s > 0 else self._arrived.get_nowait()
            except Empty:
                return
            act()
            # One query reads what arrived together. Not too much: each reply's next request waits for it.
            for _ in range(AT_ONCE - 1):
                try:
                    act = self._arrived.get_nowait()
                except Empty:
                    break
                act()
            self._advance()

    def _commit(self) -> None:
        if not self._facts:
            return
        self._renew()
        # The list itself stays: the asker appends to it.
        facts = list(self._facts)
        self._facts.clear()
        facts += self._spend(self._asker.spent)
        self._tools.evaluations.record(facts)
        self._asker.committed()
        # Kept only while a recipe waits for others beside them.
        if not self._waiting:
            self._judgements.clear()

    def _heartbeat(self) -> None:
        now = self._tools.clock.monotonic()
        if now - self._beat >= HEARTBEAT_S:
            self._beat = now
            self._renew()
