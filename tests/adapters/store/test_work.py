"""The table of work in every store: a queue with leases, whose rows move only from where they may."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from passer.domain.sweeps.run import RunState
from passer.errors import NotFoundError, QueueFull
from passer.ports import POSTING, FailedPart, SweepProgress, Work, WorkFailure, WorkProgress, WorkQuery
from tests.adapters.store.made import NOW, sweep

OWNER = "host:1:a"


def add(store: Any, work_id: str = "job", **changes: Any) -> Work:
    given = {"kind": "ingest", "subject": "farm", "spec": {"collection": "farm"}, "created_at": NOW, **changes}
    added: Work = store.work.add(Work(id=work_id, **given), most=3, ttl_s=60)
    return added


def begun(store: Any, work_id: str = "job") -> None:
    add(store, work_id)
    assert store.work.acquire(work_id, OWNER, ttl_s=60) == OWNER
    assert store.work.begin(work_id, OWNER)


def waiting(store: Any) -> list[str]:
    return [work.id for work in store.work.waiting() if work.kind != "post"]


def test_a_row_comes_back_as_it_was_added(store):
    added = add(store)
    assert added == store.work.find("job")
    assert (added.kind, added.subject, added.spec, added.created_at) == ("ingest", "farm", {"collection": "farm"}, NOW)
    assert (added.state, added.owner, added.result, added.failure) == (RunState.QUEUED, None, None, None)
    with pytest.raises(NotFoundError, match=r"no job .other."):
        store.work.find("other")


def test_posting_is_there_from_the_start(store):
    assert [(work.id, work.kind) for work in store.work.waiting()] == [(POSTING, "post")]


def test_rows_wait_in_the_order_in_which_they_were_added(store):
    for name in ("one", "two", "three"):
        add(store, name)
    assert waiting(store) == ["one", "two", "three"]
    assert store.work.cancel("two")
    assert waiting(store) == ["one", "three"]


def test_a_full_queue_is_refused_and_takes_more_when_one_has_begun(store):
    for name in ("one", "two", "three"):
        add(store, name)
    with pytest.raises(QueueFull, match="at most 3 jobs of this kind may wait"):
        add(store, "four")
    assert add(store, "pull", kind="pull").state is RunState.QUEUED, "each kind has a queue of its own"
    store.work.acquire("one", OWNER, ttl_s=60)
    store.work.begin("one", OWNER)
    assert add(store, "four").state is RunState.QUEUED


def test_a_row_can_be_added_with_its_lease(store):
    assert add(store, owner=OWNER).owner == OWNER
    assert store.work.acquire("job", "host:2:b", ttl_s=60) == OWNER


def test_one_owner_holds_a_lease_until_it_gives_it_back(store):
    add(store)
    assert store.work.acquire("job", "one", ttl_s=60) == "one"
    assert store.work.acquire("job", "two", ttl_s=60) == "one"
    assert store.work.acquire("job", "one", ttl_s=60) == "one"
    store.work.release("job", "two")
    assert store.work.acquire("job", "two", ttl_s=60) == "one"
    store.work.release("job", "one")
    assert store.work.acquire("job", "two", ttl_s=-1) == "two"
    assert store.work.find("job").owner is None, "an expired lease is nobody's"
    assert store.work.acquire("job", "three", ttl_s=60) == "three"
    with pytest.raises(NotFoundError):
        store.work.acquire("other", "one", ttl_s=60)


def test_a_lease_is_renewed_by_its_owner_alone(store):
    add(store)
    store.work.acquire("job", "one", ttl_s=-1)
    assert store.work.renew("job", "one", ttl_s=60), "nobody took it meanwhile"
    assert not store.work.renew("job", "two", ttl_s=60)
    store.work.release("job", "one")
    assert not store.work.renew("job", "one", ttl_s=60), "a lease that was given back is not taken by renewing it"


def test_what_a_former_owner_reports_is_not_kept(store):
    add(store)
    store.work.acquire("job", "one", ttl_s=-1)
    assert store.work.renew("job", "one", ttl_s=-1, progress=WorkProgress(message="documents", done=1, total=3))
    store.work.acquire("job", "two", ttl_s=60)
    assert not store.work.renew("job", "one", ttl_s=60, progress=WorkProgress(message="documents", done=2, total=3))
    assert store.work.find("job").progress == WorkProgress(message="documents", done=1, total=3)


def test_work_begins_once_and_ends_with_what_came_of_it(store):
    begun(store)
    started = store.work.find("job").started_at
    assert started is not None
    assert store.work.begin("job", OWNER), "a process that takes over begins it again"
    assert store.work.end("job", OWNER, RunState.FINISHED, result={"passages": 3})
    ended = store.work.find("job")
    assert (ended.state, ended.result, ended.owner, ended.started_at) == (
        RunState.FINISHED, {"passages": 3}, None, started,
    )  # fmt: skip
    assert ended.ended_at is not None
    store.work.acquire("job", OWNER, ttl_s=60)
    assert not store.work.begin("job", OWNER)
    assert not store.work.end("job", OWNER, RunState.FAILED)


def test_only_the_owner_ends_work(store):
    begun(store)
    assert not store.work.end("job", "host:2:b", RunState.FINISHED)
    assert store.work.find("job").state is RunState.RUNNING


def test_a_failure_is_kept_with_all_its_parts(store):
    begun(store)
    failure = WorkFailure(
        error="DatasetError",
        message="farm.json was not taken.",
        field="question",
        parts=(FailedPart(message="Row 2 has no question.", row=2, field="question"),),
    )
    assert store.work.end("job", OWNER, RunState.FAILED, failure=failure)
    assert store.work.find("job").failure == failure


def test_cancelled_work_loses_its_lease_and_is_not_begun_or_ended_again(store):
    begun(store)
    assert store.work.cancel("job")
    assert not store.work.renew("job", OWNER, ttl_s=60)
    assert not store.work.end("job", OWNER, RunState.FINISHED, result={})
    assert store.work.acquire("job", OWNER, ttl_s=60) == OWNER
    assert not store.work.begin("job", OWNER)
    assert store.work.find("job").state is RunState.CANCELLED
    assert not store.work.cancel("job"), "it has ended"


def test_rows_are_listed_newest_first_by_kind_and_subject(store):
    add(store, "one")
    add(store, "two", subject="books")
    add(store, "three", kind="pull", subject="mistral")

    def listed(**query: Any) -> list[str]:
        return [work.id for work in store.work.list_work(WorkQuery(**query)) if work.kind != "post"]

    assert listed() == ["three", "two", "one"]
    assert listed(kinds=("ingest",)) == ["two", "one"]
    assert listed(subject="farm") == ["one"]
    assert listed(limit=1) == ["three"]


def test_the_newest_ended_rows_are_kept_and_sweeps_always(store):
    store.create_sweep(sweep(runs=1))
    store.set_state(["sweep-000"], RunState.FINISHED)
    for name in ("one", "two", "three"):
        begun(store, name)
        assert store.work.end(name, OWNER, RunState.FINISHED)
    add(store, "queued")
    assert sorted(store.work.prune(1)) == ["one", "two"]
    assert [work.id for work in store.work.list_work(WorkQuery())] == ["queued", "three", "sweep", POSTING]
    assert store.work.prune(1) == []


def test_a_sweep_is_a_row_whose_state_is_that_of_its_runs(store):
    states = {
        "queued": ({}, RunState.QUEUED),
        "begun": ({"begun-000": RunState.FINISHED, "begun-001": RunState.RUNNING}, RunState.RUNNING),
        "gone": ({"gone-000": RunState.PAUSED, "gone-001": RunState.QUEUED}, RunState.RUNNING),
        "failed": ({"failed-000": RunState.FAILED, "failed-001": RunState.FINISHED}, RunState.FAILED),
        "cancelled": ({"cancelled-000": RunState.CANCELLED, "cancelled-001": RunState.FINISHED}, RunState.CANCELLED),
        "done": ({"done-000": RunState.FINISHED, "done-001": RunState.FINISHED}, RunState.FINISHED),
    }
    for name, (moves, _) in states.items():
        store.create_sweep(sweep(name))
        for run_id, state in moves.items():
            store.set_state([run_id], state)
    store.create_sweep(sweep("held"))
    store.set_state(["held-000", "held-001"], RunState.PAUSED, held=True)
    expected = {name: state for name, (_, state) in states.items()} | {"held": RunState.PAUSED}
    assert {name: store.work.find(name).state for name in expected} == expected
    assert waiting(store) == ["queued", "begun", "gone"]
    assert not store.work.cancel("queued"), "a sweep is cancelled by its runs"


def test_the_progress_of_a_sweep_is_shown_as_that_of_any_work(store):
    store.create_sweep(sweep())
    store.work.acquire("sweep", OWNER, ttl_s=60)
    progress = SweepProgress(stage="answering", done=2, total=6, updated_at=NOW)
    assert store.work.renew("sweep", OWNER, ttl_s=60, progress=progress)
    assert store.work.find("sweep").progress == WorkProgress(message="answering", done=2, total=6)
    assert store.load_sweep("sweep", counted=False).progress == progress


def test_of_processes_that_want_a_lease_at_the_same_moment_one_gets_it(store):
    add(store)
    holders: list[str] = []
    start = threading.Barrier(6)

    def take(owner: str) -> None:
        start.wait(10)
        for _ in range(10):
            if store.work.acquire("job", owner, ttl_s=60) == owner:
                holders.append(owner)
                holders.append(owner)
                store.work.release("job", owner)

    threads = [threading.Thread(target=take, args=(f"host:1:{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert holders[::2] == holders[1::2], "nobody took it while another one had it"
    assert holders
