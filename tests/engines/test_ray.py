"""Which machine is asked, and what becomes of its place when it is gone; tests/e2e/test_ray.py has a real cluster."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from passer.domain.score import Scores
from passer.engines import ray as engine
from passer.errors import EngineUnavailable
from passer.ports import Workers
from tests.served import free_port

exceptions = pytest.importorskip("ray", reason="Ray is not installed: pip install 'passer-rag[ray]'").exceptions

PAIRS = [("a reference", "an answer")]
SCORES: list[Scores] = [{}]


class Machines:
    """What `ray` is to the cluster: machines by name, and how often each was asked to score."""

    exceptions = exceptions

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        self.fails: dict[str, list[Exception]] = {}
        self.asked: list[str] = []
        self.gpus = 0
        self.gpu_shares: list[float] = []

    def nodes(self) -> list[dict[str, Any]]:
        return [{"NodeID": name, "Alive": True, "Resources": {"CPU": 1, "GPU": self.gpus}} for name in self.names]

    def remote(self, *, num_gpus: float, **_: object) -> Callable[[type], Any]:
        self.gpu_shares.append(num_gpus)

        def made(place: Any) -> SimpleNamespace:
            return SimpleNamespace(remote=lambda _: self._actor(place.node_id))

        return lambda kind: SimpleNamespace(options=lambda scheduling_strategy: made(scheduling_strategy))

    def get(self, call: Callable[[], Any], *, timeout: float) -> Any:
        assert timeout > 0, "no wait is without end"
        return call()

    def _actor(self, name: str) -> SimpleNamespace:
        return SimpleNamespace(score=SimpleNamespace(remote=lambda *_: lambda: self._scored(name)))

    def _scored(self, name: str) -> tuple[tuple[dict[str, str], list[Scores]], None]:
        self.asked.append(name)
        if self.fails.get(name):
            raise self.fails[name].pop(0)
        if name not in self.names:
            raise exceptions.ActorUnschedulableError("its node is gone")
        return ({"scored by": name}, SCORES), None


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> Machines:
    made = Machines("aa" * 28, "bb" * 28)
    monkeypatch.setattr(engine, "_connected", lambda address: made)
    return made


def cluster() -> engine.RayCluster:
    def never() -> Workers:
        raise AssertionError("nothing is built here")

    made = engine.RayCluster(never, here=never, address="head:1", per_endpoint=4)
    made.join()
    return made


def scored(ray: engine.RayCluster, times: int) -> list[str]:
    return [ray.score(PAIRS, profile="standard", language="en")[0]["scored by"] for _ in range(times)]


def test_machines_take_turns(machines):
    ray, (first, second) = cluster(), machines.names
    assert sorted(scored(ray, 4)) == sorted([first, second] * 2)


def test_a_gpu_is_shared_by_the_sweeps_of_several_drivers(machines):
    cluster()
    assert machines.gpu_shares == [0, 0, 0, 0], "there is none"
    machines.gpus, machines.gpu_shares = 1, []
    for _ in range(3):
        cluster()
    assert any(machines.gpu_shares)
    assert sum(machines.gpu_shares) / len(machines.names) <= 1


def test_a_machine_that_is_gone_is_asked_once_more_and_never_again_until_it_joins(machines):
    ray, (first, second) = cluster(), tuple(machines.names)
    machines.names.remove(first)
    assert scored(ray, 6) == [second] * 6
    assert machines.asked.count(first) == 1
    machines.names.append(first)
    assert scored(ray, 2) == [second] * 2, "in the middle of a sweep nobody joins"
    assert ray.join() == 2
    assert set(scored(ray, 2)) == {first, second}


def test_without_machines_the_cluster_is_gone_until_one_joins(machines):
    ray, names = cluster(), list(machines.names)
    machines.names.clear()
    with pytest.raises(EngineUnavailable, match="All Ray workers are lost"):
        scored(ray, 1)
    machines.names.append(names[1])
    assert ray.join() == 1
    assert scored(ray, 2) == [names[1]] * 2


def test_a_result_that_is_lost_on_the_way_is_asked_for_again(machines):
    ray = cluster()
    for name in machines.names:
        machines.fails[name] = [exceptions.ObjectLostError("00" * 28, None, "")]
    assert len(scored(ray, 1)) == 1
    assert len(machines.asked) == 3
    assert set(scored(ray, 2)) == set(machines.names), "both are still there"


def test_any_other_failure_of_ray_says_what_to_do(machines):
    ray = cluster()
    for name in machines.names:
        machines.fails[name] = [exceptions.RaySystemError("the head is gone")]
    with pytest.raises(EngineUnavailable, match="Start the cluster again"):
        scored(ray, 1)


def test_an_address_where_nobody_listens_is_named_with_what_to_do():
    address = f"127.0.0.1:{free_port()}"
    with pytest.raises(EngineUnavailable, match=rf"cluster at {address} .* or check PASSER_RAY_ADDRESS\.$"):
        engine.RayCluster(lambda: NotImplemented, here=lambda: NotImplemented, address=address, per_endpoint=1)
