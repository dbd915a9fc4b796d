"""The default engine: threads of this process. Asking and scoring have their own; neither waits for the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from threading import Event, Lock
from typing import TypeVar

from passer.domain.collector import shorten_switch_interval
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model, Server
from passer.domain.score import Scores, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.engines.attempts import Endpoints, RetryPolicy, with_retries
from passer.engines.limits import EndpointLimits
from passer.engines.pool import Pool
from passer.ports import ChatModel, Scorer, Workers
from passer.ports.draft import Abort, Draft

T = TypeVar("T")

CLOSING_S = 2.0
"""Seconds for which `close` waits for busy threads."""


class _AbortableFuture(Future[Completion]):
    """A future whose cancellation also ends a request in flight."""

    def __init__(self) -> None:
        super().__init__()
        self.abort = Abort()

    def cancel(self) -> bool:
        self.abort.ask()
        return super().cancel()


class LocalEngine:
    """Runs what the factories build; each is built on first use, and only once."""

    streams = True

    def __init__(
        self,
        workers: Callable[[], Workers],
        *,
        per_endpoint: int = 4,
        limits: EndpointLimits | None = None,
        scoring_threads: int = 1,
        queue_size: int = 4096,
        retries: RetryPolicy | None = None,
    ) -> None:
        shorten_switch_interval()
        self._make = workers
        # Limits that are handed in are shared with the other engines of the process.
        self._limits = limits or EndpointLimits(per_endpoint)
        self._queue_size = queue_size
        self._retries = retries or RetryPolicy()
        self._closing = Event()
        self._lock = Lock()
        # Two locks: loading the encoder takes seconds, in which requests must get their clients.
        self._building = Lock()
        self._building_scorer = Lock()
        self._workers: Workers | None = None
        self._scorer: Scorer | None = None
        self._chat_models: dict[Model, ChatModel] = {}
        self._pools: dict[tuple[Server, bool], Pool] = {}
        self._endpoints = Endpoints(self._limits, self._chat_model, stopped=self._closing.is_set)
        # One search at a time: an embedding model takes all cores, and a second search would only wait for them.
        self._retrieving = Pool("retrieving", threads=1, queue_size=queue_size)
        self._scoring = Pool("scoring", threads=scoring_threads, queue_size=queue_size)

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        """Send one request, with retries; blocks only while `queue_size` requests of its server are waiting."""
        future = _AbortableFuture()
        completion = partial(self._completion, request, future.abort, draft or Draft())
        return self._pool(request).submit(completion, chain=request.chain, future=future)

    def retrieve(self, search: Callable[[], T]) -> Future[T]:
        return self._retrieving.submit(search)

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> Future[list[Scores]]:
        """Score a batch of (reference, answer) pairs."""
        batch = list(pairs)
        return self._scoring.submit(lambda: self._built_scorer().score(batch, profile=profile, language=language))

    def limits(self) -> dict[Server, int]:
        """Return the number of requests allowed at a time now, by provider and address."""
        return self._limits.limits()

    def close(self) -> None:
        """Stop; work in progress is abandoned, and its futures raise CancelledError."""
        # Set first, so that threads that wait for a slot or their next attempt end instead of sending another request.
        self._closing.set()
        self._endpoints.leave()
        self._limits.wake()
        with self._lock:
            pools = list(self._pools.values())
        for pool in (*pools, self._retrieving, self._scoring):
            pool.close(timeout_s=CLOSING_S)

    def _completion(self, request: ChatRequest, abort: Abort, draft: Draft) -> Completion:
        attempt = partial(self._endpoints.complete, request, longest_s=self._retries.budget_s)
        with abort.watching(), draft.watching():
            return with_retries(attempt, request=request, policy=self._retries, wait=partial(self._wait, abort))

    def _wait(self, abort: Abort, seconds: float) -> None:
        # `close` cancels every future, which aborts its request and ends this wait.
        if abort.wait(seconds) or self._closing.is_set():
            raise CancelledError

    def _pool(self, request: ChatRequest) -> Pool:
        """Return the threads that ask a server: as many as its endpoints allow together, or one without sharing."""
        model = request.model
        key = model.server, request.shares
        with self._lock:
            if key not in self._pools:
                threads = self._limits.most * len(model.endpoints) if request.shares else 1
                share = partial(self._limits.share, model.endpoints, self._endpoints.party)
                pool = Pool(model.provider, threads=threads, queue_size=self._queue_size, share=share)
                self._pools[key] = pool
                if self._closing.is_set():
                    pool.close(timeout_s=0)
            return self._pools[key]

    def _chat_model(self, model: Model) -> ChatModel:
        with self._building:
            if model not in self._chat_models:
                self._chat_models[model] = self._built().chat_model(model)
            return self._chat_models[model]

    def _built_scorer(self) -> Scorer:
        # Not a cached property: after a failed build, the next batch tries again.
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
