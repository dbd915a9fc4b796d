"""The default engine: threads of this process. Asking and scoring have their own; neither waits for the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from threading import Event, Lock
from typing import NamedTuple

from passer.domain.run import Answer, GenerationRequest, Model
from passer.domain.score import Profile, Scores
from passer.engines.limits import EndpointLimit
from passer.engines.pool import Pool
from passer.engines.retrying import RetryPolicy, with_retries
from passer.errors import GenerationError
from passer.ports import Generator, Scorer, Workers

CLOSING_S = 2.0
"""How long `close` waits for threads that are in the middle of something."""


class _Endpoint(NamedTuple):
    """One model server: its limit and the threads that ask it."""

    limit: EndpointLimit
    pool: Pool


class LocalEngine:
    """Runs what the factories make, lazily: nothing is built before it is needed, and then once."""

    def __init__(
        self,
        workers: Callable[[], Workers],
        *,
        per_endpoint: int = 4,
        scoring_threads: int = 1,
        queue_size: int = 1024,
        retries: RetryPolicy | None = None,
    ) -> None:
        self._make = workers
        self._per_endpoint = per_endpoint
        self._queue_size = queue_size
        self._retries = retries or RetryPolicy()
        self._closing = Event()
        self._lock = Lock()
        self._building = Lock()
        self._building_scorer = Lock()
        self._workers: Workers | None = None
        self._scorer: Scorer | None = None
        self._generators: dict[Model, Generator] = {}
        self._endpoints: dict[tuple[str, str | None], _Endpoint] = {}
        self._scoring = Pool("scoring", threads=scoring_threads, queue_size=queue_size)

    def generate(self, request: GenerationRequest) -> Future[Answer]:
        """Answer one request, with retries; waits here only while `queue_size` requests of its endpoint are waiting."""
        endpoint = self._endpoint(request.model)
        return endpoint.pool.submit(partial(self._answer, endpoint.limit, request))

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> Future[list[Scores]]:
        """Score a batch of (reference, answer) pairs."""
        batch = list(pairs)
        return self._scoring.submit(lambda: self._the_scorer().score(batch, profile=profile))

    def limits(self) -> dict[tuple[str, str | None], int]:
        """Requests allowed at a time now, by provider and address."""
        with self._lock:
            return {key: endpoint.limit.limit for key, endpoint in self._endpoints.items()}

    def close(self) -> None:
        """Stop; what is under way is given up, and its futures raise CancelledError."""
        self._closing.set()
        with self._lock:
            endpoints = list(self._endpoints.values())
        for endpoint in endpoints:
            endpoint.limit.close()
        for pool in (*(endpoint.pool for endpoint in endpoints), self._scoring):
            pool.close(timeout_s=CLOSING_S)

    def _answer(self, limit: EndpointLimit, request: GenerationRequest) -> Answer:
        return with_retries(
            lambda: self._attempt(limit, request), key=request.key, policy=self._retries, wait=self._wait
        )

    def _attempt(self, limit: EndpointLimit, request: GenerationRequest) -> Answer:
        generator = self._generator(request.model)
        with limit.slot() as mark:
            try:
                answer = generator.generate(request)
            except GenerationError as exc:
                if exc.reason == "overloaded":
                    after_s = None if exc.retry_after_s is None else min(exc.retry_after_s, self._retries.budget_s)
                    limit.overloaded(mark, retry_after_s=after_s)
                raise
        limit.succeeded()
        return answer

    def _wait(self, seconds: float) -> None:
        if self._closing.wait(seconds):
            raise CancelledError

    def _endpoint(self, model: Model) -> _Endpoint:
        key = (model.provider, model.base_url)
        with self._lock:
            if key not in self._endpoints:
                pool = Pool(model.provider, threads=self._per_endpoint, queue_size=self._queue_size)
                self._endpoints[key] = _Endpoint(EndpointLimit(self._per_endpoint), pool)
                if self._closing.is_set():
                    pool.close(timeout_s=0)
            return self._endpoints[key]

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
