"""Engine for several machines: Ray workers ask the models and score; limits, retries and results stay with the driver.

Work on the cluster is idempotent and addressed by its content, so a worker that dies costs only time: Ray starts
another one and the call is repeated. Only the driver, which holds the lease of the sweep, writes to the store.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from threading import Lock
from typing import Any, TypeVar

from passer.domain.extras import requires_extra
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model
from passer.domain.score import Scores, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.domain.wording.sentence import Sentence, sentence
from passer.engines.limits import EndpointLimits
from passer.engines.local import LocalEngine
from passer.errors import ConfigError, ConflictError, EngineUnavailable, PasserError
from passer.ports import ChatModel, Scorer, Workers
from passer.ports.draft import Draft

log = logging.getLogger(__name__)

T = TypeVar("T")

ANSWERS_WITHIN_S = 3600.0
"""Longest wait for one call: restarts of workers are within it."""
CONNECTS_WITHIN_S = 5.0
"""Seconds for which an address is tried before Ray connects to it, so that a wrong one is reported at once."""
ENDPOINTS = 16
"""Addresses of model servers, all together, that one machine can keep busy ..."""
MOST_THREADS = 512
"""... unless that exceeds this number of threads."""
HERE = frozenset({"extractive", "local", "outside"})
"""Providers that read what only this machine holds (vector store, weights, functions): they answer in the driver.

So do models of connected servers, because their keys stay in the driver.
"""
GPU_SHARE = 0.25
"""Share of a machine's GPU that one driver's scoring takes: the encoder is small, and a second sweep must not wait for
it."""
OBJECT_STORE_BYTES = 200 * 1024 * 1024
"""Object store of a Ray that is started here; what travels is small."""


class RayCluster:
    """A connection to Ray, with one asking and one scoring actor on each of its machines that has joined.

    `there` builds what an actor runs and must be picklable; `here` is the driver's own. Without an address Ray is
    started on this machine for as long as the process lives. EngineUnavailable where the address does not answer.
    """

    def __init__(
        self, there: Callable[[], Workers], *, here: Callable[[], Workers], address: str | None, per_endpoint: int
    ) -> None:
        self._there, self._here = there, here
        self._ray = _connected(address)
        # The driver's limits say how many requests an endpoint gets from all machines together; a machine need only
        # have room for what it may be given.
        self._room = max(per_endpoint, min(per_endpoint * ENDPOINTS, MOST_THREADS))
        self._asking: dict[str, Any] = {}
        self._scoring: dict[str, Any] = {}
        self._turn = count()
        self._lock = Lock()

    def join(self) -> int:
        """Add the machines that have joined the cluster; return how many take part."""
        # At the beginning of each sweep: a machine that joins the cluster later takes part in the next one.
        machines = {str(node["NodeID"]): node for node in _machines(self._ray.nodes())}
        with self._lock:
            for name in machines.keys() - self._asking.keys():
                self._asking[name] = self._actor(_Asking, machines[name], concurrency=self._room)
            for name in machines.keys() - self._scoring.keys():
                self._scoring[name] = self._actor(_Scoring, machines[name], concurrency=1)
            return len(self._scoring)

    @cached_property
    def workers(self) -> Workers:
        """Chat models and a scorer that work on the cluster."""
        here = self._here()
        return Workers(
            chat_model=lambda model: (
                here.chat_model(model) if model.provider in HERE or model.connection else _RemoteModel(self, model)
            ),
            scorer=lambda: _RemoteScorer(self, here.scorer().identity),
        )

    def complete(self, request: ChatRequest) -> Completion:
        """Make one attempt, on any machine."""
        completion: Completion = self._call(self._asking, lambda actor: actor.complete.remote(request))
        return completion

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str
    ) -> tuple[Mapping[str, str], list[Scores]]:
        """Scores of a batch by one of the machines, and what that machine scores with."""
        batch = list(pairs)
        scored: tuple[Mapping[str, str], list[Scores]] = self._call(
            self._scoring, lambda actor: actor.score.remote(batch, profile, language)
        )
        return scored

    def close(self) -> None:
        """Leave the cluster, or stop the Ray that was started here; actors end with it."""
        self._ray.shutdown()

    def _actor(self, kind: type, node: Mapping[str, Any], *, concurrency: int) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        gpus = GPU_SHARE if kind is _Scoring and node["Resources"].get("GPU", 0) >= 1 else 0
        remote = self._ray.remote(
            num_cpus=0, num_gpus=gpus, max_restarts=-1, max_task_retries=-1, max_concurrency=concurrency
        )(kind)
        # Not soft: Ray would put both actors on whichever machine it heard of first.
        place = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
        return remote.options(scheduling_strategy=place).remote(self._there)

    def _call(self, actors: dict[str, Any], start: Callable[[Any], Any]) -> Any:
        """Return the result of a call on the next actor; an actor whose machine is lost is replaced."""
        lost = self._ray.exceptions
        while True:
            name, actor = self._next(actors)
            try:
                value, error = self._ray.get(start(actor), timeout=ANSWERS_WITHIN_S)
            except (lost.RayActorError, lost.ActorUnschedulableError):
                with self._lock:
                    if actors.get(name) is actor:
                        del actors[name]
                        log.warning("A Ray machine is gone: %d are left for this work.", len(actors))
                continue
            except lost.ObjectLostError:
                # The result was lost with its machine before it was fetched: call again, on a machine that is left.
                continue
            except lost.RayTaskError:
                raise
            except lost.RayError as exc:
                raise EngineUnavailable(sentence("engine.ray-lost")) from exc
            if error is not None:
                raise error
            return value

    def _next(self, actors: dict[str, Any]) -> tuple[str, Any]:
        with self._lock:
            if not actors:
                raise EngineUnavailable(sentence("engine.ray-workers-lost"))
            names = list(actors)
            name = names[next(self._turn) % len(names)]
            return name, actors[name]


class RayEngine:
    """ports.Engine over a cluster: the same limits, retries and order as the local engine, the work elsewhere."""

    streams = False

    def __init__(self, cluster: Callable[[], RayCluster], *, limits: EndpointLimits | None = None) -> None:
        connected = cluster()
        self._inner = LocalEngine(lambda: connected.workers, limits=limits, scoring_threads=connected.join())

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        """Send one request; the draft stays empty, because another process reads the reply."""
        return self._inner.complete(request, draft=draft)

    def retrieve(self, search: Callable[[], T]) -> Future[T]:
        """Run a search in this process: the collections are here."""
        return self._inner.retrieve(search)

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> Future[list[Scores]]:
        return self._inner.score(pairs, profile=profile, language=language)

    def close(self) -> None:
        """Stop; work in progress is abandoned. The cluster stays for the next sweep."""
        self._inner.close()


@dataclass(frozen=True)
class _RemoteModel:
    cluster: RayCluster
    model: Model

    def complete(self, request: ChatRequest) -> Completion:
        return self.cluster.complete(request)

    def describe(self, model: Model) -> Any:
        return self.cluster._here().chat_model(model).describe(model)

    def models(self) -> Any:
        return self.cluster._here().chat_model(self.model).models()


@dataclass(frozen=True)
class _RemoteScorer:
    cluster: RayCluster
    identity: Mapping[str, str]

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> list[Scores]:
        identity, scores = self.cluster.score(pairs, profile=profile, language=language)
        for name, expected in self.identity.items():
            if identity.get(name) != expected:
                raise ConflictError(
                    sentence("ray.other-scorer", name=name, other=identity.get(name, "none"), expected=expected)
                )
        return scores


class _Asking:
    """Asks model servers, in threads."""

    def __init__(self, make: Callable[[], Workers]) -> None:
        self._workers = make()
        self._lock = Lock()
        self._chat_models: dict[Model, ChatModel] = {}

    def complete(self, request: ChatRequest) -> tuple[Completion | None, PasserError | None]:
        with self._lock:
            if request.model not in self._chat_models:
                self._chat_models[request.model] = self._workers.chat_model(request.model)
        return _outcome(lambda: self._chat_models[request.model].complete(request))


class _Scoring:
    """Loads the encoder once and scores batch after batch."""

    def __init__(self, make: Callable[[], Workers]) -> None:
        self._scorer: Scorer = make().scorer()

    def score(
        self, pairs: Sequence[tuple[str, str]], profile: VectorProfile, language: str
    ) -> tuple[tuple[dict[str, str], list[Scores]] | None, PasserError | None]:
        return _outcome(
            lambda: (dict(self._scorer.identity), self._scorer.score(pairs, profile=profile, language=language))
        )


def _outcome(act: Callable[[], Any]) -> tuple[Any, PasserError | None]:
    """Return PaSSER's own errors as values, because Ray would wrap a raised error in its own class."""
    try:
        return act(), None
    except PasserError as exc:
        return None, exc


def _connected(address: str | None) -> Any:
    with requires_extra("ray", "PASSER_ENGINE=ray", ConfigError):
        import ray
    if ray.is_initialized():
        return ray
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR", "namespace": "passer"}
    if address is None:
        ray.init(address="local", _node_ip_address="127.0.0.1", object_store_memory=OBJECT_STORE_BYTES, **quiet)
        return ray
    _reach(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", namespace="passer")
    except (ConnectionError, RuntimeError) as exc:
        raise EngineUnavailable(_gone(address)) from exc
    return ray


def _machines(nodes: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """List the machines that compute: a head that was started without processors only coordinates."""
    alive = [node for node in nodes if node["Alive"]]
    return [node for node in alive if node["Resources"].get("CPU", 0) > 0] or alive


def _reach(address: str) -> None:
    """Check first that somebody listens at an address: Ray itself waits for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():
        raise ConfigError(sentence("ray.address", address=address), field="PASSER_RAY_ADDRESS")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECTS_WITHIN_S).close()
    except OSError as exc:
        raise EngineUnavailable(_gone(address)) from exc


def _gone(address: str) -> Sentence:
    return sentence("ray.away", address=address)
