"""Leases: one process at a time, renewed while it lives, and a loss is noticed before the next commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from passer.domain.sweeps.run import RunState
from passer.errors import GeneratorUnavailable, LeaseError, WorkStopped
from passer.ports import Work, WorkProgress
from passer.services.sweeps.runner import SweepRunner
from passer.services.work import lease as lease_module
from passer.services.work.lease import LEASE_S, Lease, held, is_dead, leased, new_owner
from tests.fake_work import MemoryWork
from tests.fakes import FakeClock
from tests.services.study import Study

THIEF = "elsewhere:1:thief"


@pytest.fixture
def work() -> MemoryWork:
    clock = FakeClock()
    made = MemoryWork(clock, lambda _: RunState.QUEUED)
    made.add(Work(id="job", kind="ingest", created_at=clock.now()), most=10, ttl_s=0)
    return made


def steal(work: MemoryWork, work_id: str) -> None:
    """What another process does once the lease has expired."""
    work.release(work_id, work.find(work_id).owner or "")
    assert work.acquire(work_id, THIEF, ttl_s=60) == THIEF


def refused(holder: str) -> str:
    return f"{holder} has it."


def test_a_lease_is_refused_while_another_process_holds_it(work: MemoryWork):
    with leased(work, "job", refusal=refused) as lease:
        with pytest.raises(LeaseError, match=f"{lease.owner} has it"), leased(work, "job", refusal=refused):
            raise AssertionError("two processes have it")
        lease.renew()
    with leased(work, "job", refusal=refused):
        pass


def test_renew_notices_a_stolen_lease(work: MemoryWork):
    with leased(work, "job", refusal=refused) as lease:
        steal(work, "job")
        with pytest.raises(LeaseError, match=r"Another PaSSER \(elsewhere:1:thief\) has taken over job"):
            lease.renew()
        with pytest.raises(LeaseError):
            lease.report(WorkProgress(done=1, total=2))
    assert work.find("job").progress is None
    assert work.find("job").owner == THIEF, "the former owner gives back nothing that is not its own"


def test_renew_notices_a_stolen_lease_that_was_given_back(work: MemoryWork):
    with leased(work, "job", refusal=refused) as lease:
        steal(work, "job")
        work.release("job", THIEF)
        with pytest.raises(LeaseError, match="Another PaSSER has taken over job"):
            lease.renew()
    assert work.find("job").owner is None


def test_renew_says_that_the_work_was_cancelled(work: MemoryWork):
    with leased(work, "job", refusal=refused) as lease:
        assert work.cancel("job")
        with pytest.raises(WorkStopped, match="cancelled"):
            lease.renew()


def test_a_lease_is_renewed_while_its_holder_is_busy(work: MemoryWork, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lease_module, "RENEW_EVERY_S", 0.01)
    renewed, renew = Event(), work.renew

    def noted(work_id: str, owner: str, **given: float) -> bool:
        renewed.set()
        return renew(work_id, owner, ttl_s=given["ttl_s"])

    monkeypatch.setattr(work, "renew", noted)
    with leased(work, "job", refusal=refused):
        assert renewed.wait(10)


def test_the_lease_of_a_dead_process_of_this_machine_is_taken_over_at_once(work: MemoryWork):
    code = "from passer.services.work.lease import new_owner; print(new_owner())"
    root = Path(lease_module.__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    dead = done.stdout.strip()
    assert is_dead(dead)
    assert not is_dead(new_owner())
    work.acquire("job", dead, ttl_s=3600)
    with leased(work, "job", refusal=refused) as lease:
        assert work.find("job").owner == lease.owner


def test_a_lease_that_was_acquired_before_is_held_and_given_back(work: MemoryWork):
    owner = new_owner()
    work.acquire("job", owner, ttl_s=LEASE_S)
    with held(work, "job", owner) as lease:
        assert isinstance(lease, Lease)
        lease.renew()
    assert work.find("job").owner is None


@pytest.mark.parametrize("commit", [0, 1, 2, -2, -1])
def test_a_sweep_whose_lease_is_stolen_in_mid_run_writes_nothing_more(commit: int, monkeypatch: pytest.MonkeyPatch):
    """Whether its next step would be a ranking, an answer, a score, a state or the end of a run."""
    monkeypatch.setattr("passer.services.sweeps.ranking_batcher.QUESTIONS_PER_SEARCH", 1)
    whole = Study()
    whole.running.run(whole.create(0.1, 0.4).id)
    place = range(len(whole.store.commits))[commit]
    study = Study()
    sweep = study.create(0.1, 0.4)
    record, written = study.store.record, []

    def stolen(facts: object) -> None:
        record(facts)  # type: ignore[arg-type]
        if len(study.store.commits) > place and not written:
            steal(study.store.work, sweep.id)
            written.append(snapshot(study, sweep.id))

    study.store.record = stolen  # type: ignore[method-assign]
    with pytest.raises(LeaseError, match="taken over"):
        study.running.run(sweep.id)
    assert written == [snapshot(study, sweep.id)], "nothing was written after the loss"
    assert study.engines == [] or [engine.closed for engine in study.engines] == [True]

    study.store.record = record  # type: ignore[method-assign]
    study.store.work.release(sweep.id, THIEF)
    done = study.running.run(sweep.id)
    assert [(run.state, run.counts.scored) for run in done.runs] == [(RunState.FINISHED, 6)] * 3


def test_a_sweep_whose_lease_is_stolen_while_its_server_is_gone_pauses_no_run():
    study = Study()

    def gone(request: object) -> str:
        steal(study.store.work, sweep.id) if len(study.chat_model.asked) == 1 else None
        raise GeneratorUnavailable("Ollama does not answer: start it.")

    study.chat_model._script = gone
    sweep = study.create(0.1)
    with pytest.raises(LeaseError, match="taken over"):
        study.running.run(sweep.id)
    states = {run.state for run in study.store.load_sweep(sweep.id).runs}
    assert RunState.PAUSED not in states, "the thief runs them"


def snapshot(study: Study, sweep_id: str) -> tuple[object, ...]:
    """All that a sweep has written."""
    runs = study.store.load_sweep(sweep_id).runs
    return len(study.store.commits), runs, study.store.outbox.unposted(ledger="local")


def test_a_sweep_that_was_stopped_gives_its_lease_back():
    study = Study()
    sweep = study.create(0.1)
    stop = Event()
    stop.set()
    runner: SweepRunner = study.running
    runner.run(sweep.id, stop=stop)
    assert study.store.work.find(sweep.id).owner is None
