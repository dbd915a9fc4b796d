"""The default engine: threads of this process. Asking and scoring have their own; neither waits for the other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from threading import Event, Lock

from passer.domain.answer import Answer, GenerationRequest
from passer.domain.run import Model, Server
from passer.domain.score import Profile, Scores
from passer.engines.endpoints import Endpoints
from passer.engines.limits import EndpointLimits
from passer.engines.pool import Pool
from passer.engines.retrying import RetryPolicy, with_retries
from passer.ports import Generator, Scorer, Workers

SWITCH_S = 0.001
"""Longest that a thread computes while others wait for the interpreter: of the whole process, and Python's is 5 ms."""
CLOSING_S = 2.0
"""How long `close` waits for threads that are in the middle of something."""


class LocalEngine:
    """Runs what the factories make, lazily: nothing is built before it is needed, and then once."""

    def __init__(
        self,
        workers: Callable[[], Workers],
        *,
        per_endpoint: int = 4,
        limits: EndpointLimits | None = None,
        scoring_threads: int = 1,
        queue_size: int = 1024,
        retries: RetryPolicy | None = None,
    ) -> None:
        # A thread that a reply has come for waits so long for one that computes; many times for one reply.
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        self._make = workers
        # Limits that are handed in are shared with the other engines of the process.
        self._limits = limits or EndpointLimits(per_endpoint)
        self._queue_size = queue_size
        self._retries = retries or RetryPolicy()
        self._closing = Event()
        self._lock = Lock()
        self._building = Lock()
        self._building_scorer = Lock()
        self._workers: Workers | None = None
        self._scorer: Scorer | None = None
        self._generators: dict[Model, Generator] = {}
        self._pools: dict[Server, Pool] = {}
        self._endpoints = Endpoints(self._limits, self._generator, stopped=self._closing.is_set)
        self._scoring = Pool("scoring", threads=scoring_threads, queue_size=queue_size)

    def generate(self, request: GenerationRequest) -> Future[Answer]:
        """Answer one request, with retries; waits here only while `queue_size` requests of its server are waiting."""
        return self._pool(request.model).submit(partial(self._answer, request))

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> Future[list[Scores]]:
        """Score a batch of (reference, answer) pairs."""
        batch = list(pairs)
        return self._scoring.submit(lambda: self._the_scorer().score(batch, profile=profile))

    def limits(self) -> dict[Server, int]:
        """Requests allowed at a time now, by provider and address."""
        return self._limits.limits()

    def close(self) -> None:
        """Stop; what is under way is given up, and its futures raise CancelledError."""
        self._closing.set()
        self._limits.wake()
        with self._lock:
            pools = list(self._pools.values())
        for pool in (*pools, self._scoring):
            pool.close(timeout_s=CLOSING_S)

    def _answer(self, request: GenerationRequest) -> Answer:
        ask = partial(self._endpoints.ask, request, longest_s=self._retries.budget_s)
        return with_retries(ask, key=request.key, policy=self._retries, wait=self._wait)

    def _wait(self, seconds: float) -> None:
        if self._closing.wait(seconds):
            raise CancelledError

    def _pool(self, model: Model) -> Pool:
        """The threads that ask a server: as many as its endpoints allow together."""
        with self._lock:
            if model.server not in self._pools:
                threads = self._limits.most * len(model.endpoints)
                pool = self._pools[model.server] = Pool(model.provider, threads=threads, queue_size=self._queue_size)
                if self._closing.is_set():
                    pool.close(timeout_s=0)
            return self._pools[model.server]

    def _generator(self, model: Model) -> Generator:
        with self._building:
            if model not in self._generators:
                self._generators[model] = self._built().generator(model)
            return self._generators[model]

    def _the_scorer(self) -> Scorer:
        """Built by the first batch; a build that failed is tried again by the next one."""
        with self._building:
            workers = self._built()
        with self._building_scorer:
            if self._scorer is None:
                self._scorer = workers.scorer()
            return self._scorer

    def _built(self) -> Workers:
        if self._workers is None:
            self._workers = self._make()
        return self._workers
