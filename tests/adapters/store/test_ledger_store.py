"""One contract for every outbox and journal: in memory, SQLite, and PostgreSQL where its binaries are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from passer.adapters.store.database import Database
from passer.adapters.store.journal import DatabaseJournal
from passer.adapters.store.outbox import DatabaseOutbox
from passer.adapters.store.runs import DatabaseRuns
from passer.domain.ledger.entry import ChainPlace, Entry, LocalPlace, Receipt
from passer.domain.run import RunState
from passer.errors import ConflictError, LeaseError, StoreUnavailable
from passer.ports import RunRecord, Sent
from tests.adapters.store.made import NOW, sweep
from tests.fake_outbox import MemoryJournal
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock

RUN = "sweep-000"


class Stores:
    """Runs, outbox and journal of one place."""

    def __init__(self, url: str | None) -> None:
        clock = FakeClock()
        self.database = Database(url) if url else None
        if self.database is None:
            self.runs = MemoryStore(clock)
            self.outbox, self.journal = self.runs.outbox, MemoryJournal()
        else:
            self.runs = DatabaseRuns(self.database, clock)
            self.outbox, self.journal = DatabaseOutbox(self.database, clock), DatabaseJournal(self.database)
        self.runs.create_sweep(sweep())

    def finish(self, *what: str, digest: str = "a") -> bool:
        self.runs.set_state([RUN], RunState.RUNNING)
        return self.runs.finish(RUN, record(*what, digest=digest), ledger="local")


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    url = None if request.param == "memory" else f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("empty_postgres")
    opened = Stores(url)
    yield opened
    if opened.database is not None:
        opened.database.close()


def entry(what: str, value: float = 0.5) -> Entry:
    return Entry(
        action="addtest",
        testid="a" * 12,
        description=what,
        results=(value,),
        run_digest="b" * 64,
        config_digest="c" * 64,
    )


def record(*what: str, digest: str = "a") -> RunRecord:
    return RunRecord(digest=digest * 64, manifest=f'{{"of":"{digest}"}}', entries=tuple(entry(name) for name in what))


def receipt(of: Entry, sequence: int) -> Receipt:
    return Receipt(entry=of, recorded_at=NOW, place=LocalPlace(sequence=sequence, previous="0" * 64, digest="d" * 64))


def sent(number: int = 0, **changes: object) -> Sent:
    given = {
        "id": f"{number:064x}",
        "chain_id": "1" * 64,
        "contract": "llmtest",
        "creator": "alice",
        "packed": "00ff",
        "signatures": ("SIG_K1_a",),
        "expires_at": NOW,
        "identities": (entry(f"one of {number}").identity, entry(f"two of {number}").identity),
    }
    return Sent(**{**given, **changes})


def names(entries: list) -> list[str]:
    return [one.entry.description for one in entries]


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
    stores.outbox.put_off([kept.number], reason="The node is gone.", retry_at=until)
    [waiting] = stores.outbox.unposted(ledger="local")
    assert (waiting.reason, waiting.retry_at) == ("The node is gone.", until)
    stores.outbox.put_off([kept.number], reason=None, retry_at=None)
    assert stores.outbox.unposted(ledger="local") == [kept]


def test_one_poster_holds_the_lease_until_it_gives_it_back(stores):
    assert stores.outbox.acquire("poster", "one", ttl_s=60) == "one"
    assert stores.outbox.acquire("poster", "two", ttl_s=60) == "one"
    assert stores.outbox.acquire("other", "two", ttl_s=60) == "two"
    stores.outbox.release("poster", "two")
    assert stores.outbox.acquire("poster", "one", ttl_s=-1) == "one"
    assert stores.outbox.acquire("poster", "two", ttl_s=60) == "two", "a lease that ran out is free"
    stores.outbox.release("poster", "two")
    assert stores.outbox.acquire("poster", "one", ttl_s=60) == "one"


def test_what_was_sent_is_kept_as_it_was_and_moves_on(stores):
    stores.journal.keep([sent(1), sent(2)])
    stores.journal.keep([sent(1, packed="ff")])
    assert stores.journal.sent("open") == [sent(1), sent(2)]
    posted = sent(1, state="posted", block_number=7, block_time=NOW)
    stores.journal.settled([posted])
    assert stores.journal.sent("posted") == [posted]
    assert stores.journal.sent("open", "posted") == [posted, sent(2)]
    final = posted.model_copy(update={"state": "final", "block_id": "e" * 64})
    stores.journal.settled([final, sent(2, state="dropped")])
    assert stores.journal.sent("open", "posted") == []
    assert stores.journal.sent("final") == [final]


def test_an_entry_is_never_in_two_transactions_of_which_either_may_be_taken(stores):
    stores.journal.keep([sent(1)])
    overlapping = sent(2, identities=(entry("new").identity, entry("one of 1").identity))
    with pytest.raises(LeaseError, match="meanwhile"):
        stores.journal.keep([sent(3), overlapping])
    assert [one.id for one in stores.journal.sent("open")] == [sent(1).id]
    stores.journal.keep([overlapping.model_copy(update={"state": "posted"})])
    stores.journal.settled([sent(1, state="dropped")])
    stores.journal.keep([sent(4, identities=sent(1).identities)])


def test_what_was_meant_for_another_chain_or_contract_holds_no_entry(stores):
    stores.journal.keep([sent(1)])
    stores.journal.keep([sent(2, identities=sent(1).identities, chain_id="2" * 64)])
    stores.journal.keep([sent(3, identities=sent(1).identities, contract="another")])
    assert len(stores.journal.sent("open")) == 3


def test_an_entry_is_never_in_two_transactions_that_may_be_signed(stores):
    prepared = sent(1, state="prepared", signatures=())
    stores.journal.keep([prepared])
    assert stores.journal.sent("prepared") == [prepared]
    assert stores.journal.sent("open") == []
    for state in ("prepared", "open"):
        with pytest.raises(LeaseError, match="meanwhile"):
            stores.journal.keep([sent(2, state=state, identities=prepared.identities[1:])])
    assert stores.journal.given_up(prepared)
    stores.journal.keep([sent(2, state="prepared", identities=prepared.identities[1:])])


def test_what_is_prepared_is_signed_or_given_up_once(stores):
    one, two = sent(1, state="prepared", signatures=()), sent(2, state="prepared", signatures=())
    stores.journal.keep([one, two])
    signed = one.model_copy(update={"signatures": ("SIG_K1_mine",)})
    assert stores.journal.signed(signed)
    assert not stores.journal.signed(one.model_copy(update={"signatures": ("SIG_K1_late",)}))
    assert not stores.journal.given_up(one)
    assert stores.journal.given_up(two)
    assert not stores.journal.given_up(two)
    assert not stores.journal.signed(two)
    opened = signed.model_copy(update={"state": "open"})
    assert stores.journal.sent("open") == [opened]
    assert stores.journal.find(one.id) == opened
    assert stores.journal.find(two.id) == two.model_copy(update={"state": "dropped"})
    assert stores.journal.find("0" * 64) is None


def test_one_of_many_that_sign_and_give_up_at_once_is_heard(stores):
    kept = sent(1, state="prepared", signatures=())
    stores.journal.keep([kept])
    heard: list[bool] = []
    acts = [stores.journal.signed, stores.journal.given_up] * 4
    threads = [threading.Thread(target=lambda act=act: heard.append(act(kept))) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(heard) == [False] * 7 + [True]


def test_entries_that_wait_are_found_by_what_they_are(stores):
    assert stores.finish("one", "two", "three")
    identities = [entry(name).identity for name in ("three", "one", "none")]
    found = stores.outbox.awaiting(identities, ledger="local")
    assert (names(found), {one.run_id for one in found}) == (["one", "three"], {RUN})
    assert stores.outbox.awaiting(identities, ledger="antelope") == []
    stores.outbox.posted([found[0].number], [receipt(found[0].entry, 1)])
    assert names(stores.outbox.awaiting(identities, ledger="local")) == ["three"]


@pytest.fixture
def sql(tmp_path: Path) -> Iterator[Stores]:
    opened = Stores(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    yield opened
    opened.database.close()


def on_chain(of: Entry, sent: Sent, place: int) -> Receipt:
    where = ChainPlace(
        chain_id=sent.chain_id,
        contract=sent.contract,
        creator=sent.creator,
        transaction_id=sent.id,
        packed_transaction=sent.packed,
        signatures=sent.signatures,
        action_index=place,
        block_number=7,
    )
    return Receipt(entry=of, recorded_at=NOW, place=where)


def test_entries_follow_their_transaction_to_the_end_or_wait_again(sql):
    sql.runs.set_state([RUN], RunState.RUNNING)
    sql.runs.finish(RUN, record("one", "two", "three"), ledger="antelope")
    [kept] = sql.outbox.records(RUN, ledger="antelope")
    waiting = sql.outbox.waiting(kept.number, ledger="antelope", limit=9)
    first, second = sent(1), sent(2)
    sql.journal.keep([first, second])
    places = [(first, 0), (first, 1), (second, 0)]
    receipts = [on_chain(one.entry, *place) for one, place in zip(waiting, places, strict=True)]
    sql.outbox.posted([one.number for one in waiting], receipts)
    found = sql.outbox.entries(RUN, ledger="antelope")
    assert [(one.state, one.receipt) for one in found] == [("posted", receipt) for receipt in receipts]
    assert [one.block_number for one in sql.journal.sent("posted")] == [7, 7]
    with pytest.raises(LeaseError, match="meanwhile"):
        sql.journal.keep([sent(9, identities=(waiting[1].entry.identity,))])
    final = first.model_copy(update={"state": "final", "block_id": "e" * 64, "block_time": NOW})
    sql.journal.settled([final, second.model_copy(update={"state": "dropped"})])
    after = sql.outbox.entries(RUN, ledger="antelope")
    assert [one.state for one in after] == ["recorded", "recorded", "waiting"]
    assert [one.receipt and one.receipt.place.block_id for one in after] == ["e" * 64, "e" * 64, None]


def test_a_transaction_is_posted_with_all_that_it_holds(sql):
    sql.runs.set_state([RUN], RunState.RUNNING)
    sql.runs.finish(RUN, record("one", "two", "three"), ledger="antelope")
    [kept] = sql.outbox.records(RUN, ledger="antelope")
    waiting = sql.outbox.waiting(kept.number, ledger="antelope", limit=9)
    whole = sent(1, identities=tuple(one.entry.identity for one in waiting))
    sql.journal.keep([whole])
    sql.outbox.posted([waiting[0].number], [on_chain(waiting[0].entry, whole, 0)])
    found = sql.outbox.entries(RUN, ledger="antelope")
    assert [one.receipt and one.receipt.place.action_index for one in found] == [0, 1, 2]
    assert {one.state for one in found} == {"posted"}


def test_a_transaction_over_two_runs_is_posted_in_both(sql):
    other = "sweep-001"
    sql.runs.set_state([RUN, other], RunState.RUNNING)
    sql.runs.finish(RUN, record("one"), ledger="antelope")
    sql.runs.finish(other, record("two", "three", digest="e"), ledger="antelope")
    waiting = sql.outbox.awaiting([entry(name).identity for name in ("one", "two", "three")], ledger="antelope")
    whole = sent(1, identities=tuple(one.entry.identity for one in waiting[:2]))
    sql.journal.keep([whole])
    sql.outbox.posted([waiting[0].number], [on_chain(waiting[0].entry, whole, 0)])
    found = sql.outbox.entries(other, ledger="antelope")
    assert [one.state for one in found] == ["posted", "waiting"]
    assert found[0].receipt == on_chain(waiting[1].entry, whole, 1)


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
