"""Records of runs and their waiting entries, in every store."""

from __future__ import annotations

import json
import threading
from datetime import timedelta

import pytest
from sqlalchemy import text

from passer.domain.models.model import ModelMemory
from passer.domain.sweeps.run import RunMemory, RunState
from passer.domain.wording.sentence import reading, sentence
from passer.errors import ConflictError, StoreUnavailable
from tests.adapters.store.made import NOW
from tests.adapters.store.recorded import RUN, entry, names, receipt, record


def test_a_run_finishes_with_its_record_and_its_entries_wait_in_order(stores):
    assert stores.finish("one", "two", "three")
    run = stores.runs.load_sweep("sweep").runs[0]
    assert (run.state, run.reason) == (RunState.FINISHED, None)
    assert run.finished_at is not None
    assert stores.outbox.manifest(RUN) == '{"of":"a"}'
    [kept] = stores.outbox.records(RUN, ledger="local")
    assert (kept.digest, kept.superseded, kept.entries) == ("a" * 64, False, 3)
    assert (kept.waiting, kept.posted, kept.recorded) == (3, 0, 0)
    assert stores.outbox.unposted(ledger="local") == [kept]
    assert stores.outbox.unposted(ledger="antelope") == []
    assert names(stores.outbox.waiting(kept.number, ledger="local", limit=2)) == ["one", "two"]
    page = stores.outbox.entries(RUN, ledger="local", limit=2)
    assert names(page) == ["one", "two"]
    assert names(stores.outbox.entries(RUN, ledger="local", after=page[-1].number)) == ["three"]


def test_a_run_keeps_the_memory_that_it_took(stores):
    taken = RunMemory(passer_bytes=10**9, model=ModelMemory(total_bytes=6 * 10**9, gpu_bytes=0))
    assert stores.runs.load_sweep("sweep").runs[0].memory is None
    assert stores.runs.finish(RUN, record("one"), ledger="local", memory=taken)
    assert stores.runs.load_sweep("sweep").runs[0].memory == taken


def test_what_is_over_or_held_is_not_finished_and_leaves_nothing(stores):
    for state, held in ((RunState.CANCELLED, False), (RunState.PAUSED, True)):
        stores.runs.set_state([RUN], state, held=held)
        assert not stores.runs.finish(RUN, record("one"), ledger="local")
        assert stores.runs.load_sweep("sweep").runs[0].state is state
    assert stores.outbox.manifest(RUN) is None
    assert stores.outbox.records(RUN, ledger="local") == []


def test_a_run_finishes_once(stores):
    assert stores.finish("one")
    assert not stores.runs.finish(RUN, record("two", digest="b"), ledger="local")
    assert stores.outbox.manifest(RUN) == '{"of":"a"}'


def test_finished_again_only_what_is_new_is_recorded_and_the_earlier_record_stays(stores):
    stores.finish("one", "two", "all before")
    stores.finish("one", "other two", "all after", digest="b")
    first, second = stores.outbox.records(RUN, ledger="local")
    assert (first.superseded, first.waiting, second.superseded, second.waiting) == (True, 3, False, 2)
    assert second.entries == 3
    found = stores.outbox.entries(RUN, ledger="local")
    assert names(found) == ["one", "two", "all before", "other two", "all after"]
    assert stores.outbox.manifest(RUN) == '{"of":"b"}'


def test_finished_again_with_the_same_results_nothing_is_new(stores):
    stores.finish("one", "all")
    stores.finish("one", "all")
    [kept] = stores.outbox.records(RUN, ledger="local")
    assert kept.waiting == 2


def test_an_old_finished_run_is_recorded_once_for_each_ledger(stores):
    stores.runs.set_state([RUN], RunState.RUNNING)
    with pytest.raises(ConflictError, match="finished"):
        stores.outbox.add(RUN, record("one"), ledger="local")
    stores.runs.set_state([RUN], RunState.FINISHED)
    assert stores.outbox.add(RUN, record("one", "all"), ledger="local") == 2
    assert stores.outbox.add(RUN, record("one", "all"), ledger="local") == 0
    assert stores.outbox.add(RUN, record("one", "all"), ledger="antelope") == 2
    [kept] = stores.outbox.records(RUN, ledger="antelope")
    assert kept.waiting == 2


def test_why_a_record_waits_is_kept_until_it_does_no_more(stores):
    stores.finish("one")
    [kept] = stores.outbox.records(RUN, ledger="local")
    until = NOW + timedelta(minutes=5)
    stores.outbox.defer([kept.number], reason="The node is gone.", retry_at=until)
    [waiting] = stores.outbox.unposted(ledger="local")
    assert (waiting.reason, waiting.retry_at) == ("The node is gone.", until)
    stores.outbox.defer([kept.number], reason=None, retry_at=None)
    assert stores.outbox.unposted(ledger="local") == [kept]


def test_why_a_record_waits_is_in_the_readers_language(stores):
    stores.finish("one")
    [kept] = stores.outbox.records(RUN, ledger="local")
    stores.outbox.defer([kept.number], reason=sentence("chain.refused-ram", said="needs 9 bytes"), retry_at=None)
    [waiting] = stores.outbox.unposted(ledger="local")
    with reading("bg"):
        assert "Купете RAM за него" in json.loads(waiting.model_dump_json())["reason"]
    assert "Buy RAM for it" in json.loads(waiting.model_dump_json())["reason"]


def test_entries_that_wait_are_found_by_what_they_are(stores):
    assert stores.finish("one", "two", "three")
    identities = [entry(name).identity for name in ("three", "one", "none")]
    found = stores.outbox.awaiting(identities, ledger="local")
    assert (names(found), {one.run_id for one in found}) == (["one", "three"], {RUN})
    assert stores.outbox.awaiting(identities, ledger="antelope") == []
    stores.outbox.posted([found[0].number], [receipt(found[0].entry, 1)])
    assert names(stores.outbox.awaiting(identities, ledger="local")) == ["three"]


def test_the_last_write_of_a_finish_that_fails_takes_all_of_it_back(sql):
    sql.runs.set_state([RUN], RunState.RUNNING)
    with sql.database.begin() as connection:
        connection.execute(
            text("CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        )
    with pytest.raises((ConflictError, StoreUnavailable)):
        sql.runs.finish(RUN, record("one"), ledger="local")
    assert sql.runs.load_sweep("sweep").runs[0].state is RunState.RUNNING
    assert sql.outbox.manifest(RUN) is None


def test_two_threads_that_finish_one_run_do_so_once(sql):
    sql.runs.set_state([RUN], RunState.RUNNING)
    moved: list[bool] = []

    def finish(digest: str) -> None:
        moved.append(sql.runs.finish(RUN, record("one", digest=digest), ledger="local"))

    threads = [threading.Thread(target=finish, args=(digest,)) for digest in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(moved) == [False] * 5 + [True]
    assert len(sql.outbox.records(RUN, ledger="local")) == 1
