"""The engine beyond one machine: Ray asks the models and scores; limits, retries and results stay with the driver.

What runs on the cluster is idempotent and addressed by its content, so a worker that dies costs nothing but time: Ray
starts another and the call is made again. Only the driver, which holds the sweep's lease, writes to the store.
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
from typing import Any

from passer.domain.answer import Answer, GenerationRequest
from passer.domain.run import Model
from passer.domain.score import Profile, Scores
from passer.engines.limits import EndpointLimits
from passer.engines.local import LocalEngine
from passer.errors import ConfigError, ConflictError, EngineUnavailable, PasserError
from passer.ports import Generator, Scorer, Workers

log = logging.getLogger(__name__)

ANSWERS_WITHIN_S = 3600.0
"""Longest wait for one call: restarts of workers are within it."""
CONNECTS_WITHIN_S = 5.0
ENDPOINTS = 16
"""Addresses of model servers, all together, that one machine can keep busy ..."""
MOST_THREADS = 512
"""... unless that took more threads than so many."""
HERE = frozenset({"extractive"})
"""Providers that read what only this machine holds (the embedded vector store): they answer in the driver."""
GPU_SHARE = 0.25
"""Of a machine's GPU that one driver's scoring takes: the encoder is small, and a second sweep must not wait for it."""
OBJECT_STORE_BYTES = 200 * 1024 * 1024
"""Of a Ray that is started here; what travels is small."""


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
        """Take in the machines that are there now; how many take part."""
        machines = {str(node["NodeID"]): node for node in _machines(self._ray.nodes())}
        with self._lock:
            for name in machines.keys() - self._asking.keys():
                self._asking[name] = self._actor(_Asking, machines[name], concurrency=self._room)
            for name in machines.keys() - self._scoring.keys():
                self._scoring[name] = self._actor(_Scoring, machines[name], concurrency=1)
            return len(self._scoring)

    @cached_property
    def workers(self) -> Workers:
        """Generators and a scorer that work on the cluster."""
        here = self._here()
        return Workers(
            generator=lambda model: here.generator(model) if model.provider in HERE else _RemoteGenerator(self, model),
            scorer=lambda: _RemoteScorer(self, here.scorer().identity),
        )

    def generate(self, request: GenerationRequest) -> Answer:
        """One attempt, on any machine."""
        answer: Answer = self._call(self._asking, lambda actor: actor.generate.remote(request))
        return answer

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> tuple[Mapping[str, str], list[Scores]]:
        """Scores of a batch by one of the machines, and what that machine scores with."""
        batch = list(pairs)
        scored: tuple[Mapping[str, str], list[Scores]] = self._call(
            self._scoring, lambda actor: actor.score.remote(batch, profile)
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
        """The outcome of a call by the next actor in turn; one whose machine is gone for good leaves its place."""
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
                # Done, and gone with the machine before it was fetched: the next call finds out whether that is back.
                continue
            except lost.RayTaskError:
                raise
            except lost.RayError as exc:
                raise EngineUnavailable("The Ray cluster is gone: start it again, then resume the sweep.") from exc
            if error is not None:
                raise error
            return value

    def _next(self, actors: dict[str, Any]) -> tuple[str, Any]:
        with self._lock:
            if not actors:
                raise EngineUnavailable("All Ray machines are gone: start them again, then resume the sweep.")
            names = list(actors)
            name = names[next(self._turn) % len(names)]
            return name, actors[name]


class RayEngine:
    """ports.Engine over a cluster: the same limits, retries and order as the local engine, the work elsewhere."""

    def __init__(
        self, cluster: Callable[[], RayCluster], *, per_endpoint: int = 4, limits: EndpointLimits | None = None
    ) -> None:
        connected = cluster()
        self._inner = LocalEngine(
            lambda: connected.workers, per_endpoint=per_endpoint, limits=limits, scoring_threads=connected.join()
        )

    def generate(self, request: GenerationRequest) -> Future[Answer]:
        """Answer one request, with retries, under its endpoint's limit."""
        return self._inner.generate(request)

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> Future[list[Scores]]:
        """Score a batch."""
        return self._inner.score(pairs, profile=profile)

    def close(self) -> None:
        """Stop; what is under way is given up. The cluster stays for the next sweep."""
        self._inner.close()


@dataclass(frozen=True)
class _RemoteGenerator:
    cluster: RayCluster
    model: Model

    def generate(self, request: GenerationRequest) -> Answer:
        return self.cluster.generate(request)

    def describe(self, model: Model) -> Any:
        return self.cluster._here().generator(model).describe(model)

    def models(self) -> Any:
        return self.cluster._here().generator(self.model).models()


@dataclass(frozen=True)
class _RemoteScorer:
    cluster: RayCluster
    identity: Mapping[str, str]

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> list[Scores]:
        identity, scores = self.cluster.score(pairs, profile=profile)
        for name, expected in self.identity.items():
            if identity.get(name) != expected:
                raise ConflictError(
                    f"A Ray worker scores with {name} {identity.get(name, 'none')}, this machine with {expected}: "
                    "give all machines the same installation and settings."
                )
        return scores


class _Asking:
    """Asks model servers, in threads."""

    def __init__(self, make: Callable[[], Workers]) -> None:
        self._workers = make()
        self._lock = Lock()
        self._generators: dict[Model, Generator] = {}

    def generate(self, request: GenerationRequest) -> tuple[Answer | None, PasserError | None]:
        with self._lock:
            if request.model not in self._generators:
                self._generators[request.model] = self._workers.generator(request.model)
        return _outcome(lambda: self._generators[request.model].generate(request))


class _Scoring:
    """Loads the encoder once and scores batch after batch."""

    def __init__(self, make: Callable[[], Workers]) -> None:
        self._scorer: Scorer = make().scorer()

    def score(
        self, pairs: Sequence[tuple[str, str]], profile: Profile
    ) -> tuple[tuple[dict[str, str], list[Scores]] | None, PasserError | None]:
        return _outcome(lambda: (dict(self._scorer.identity), self._scorer.score(pairs, profile=profile)))


def _outcome(act: Callable[[], Any]) -> tuple[Any, PasserError | None]:
    """Errors of ours travel as values: Ray would wrap them into a class of its own."""
    try:
        return act(), None
    except PasserError as exc:
        return None, exc


def _connected(address: str | None) -> Any:
    try:
        import ray
    except ImportError as exc:
        raise ConfigError("Ray is not installed: pip install 'passer[ray]'.", field="PASSER_ENGINE") from exc
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
    """Those that are to compute: a head that was started with no processors only leads."""
    alive = [node for node in nodes if node["Alive"]]
    return [node for node in alive if node["Resources"].get("CPU", 0) > 0] or alive


def _reach(address: str) -> None:
    """Ray waits for minutes for an address that nobody listens at: find out first."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():
        raise ConfigError(f"{address!r} is no Ray address: write host:port.", field="PASSER_RAY_ADDRESS")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECTS_WITHIN_S).close()
    except OSError as exc:
        raise EngineUnavailable(_gone(address)) from exc


def _gone(address: str) -> str:
    return f"The Ray cluster at {address} does not answer: run `ray start --head` there, or check PASSER_RAY_ADDRESS."
