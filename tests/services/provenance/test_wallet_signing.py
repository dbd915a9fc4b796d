"""Signing by wallets, on a real database and a chain in memory: what is prepared, for whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest

from passer.adapters.store.database import Database
from passer.adapters.store.journal import DatabaseJournal
from passer.adapters.store.outbox import DatabaseOutbox
from passer.adapters.store.runs import DatabaseRuns
from passer.adapters.store.work import DatabaseWork
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.entry import testid_of as name_of
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import reading
from passer.domain.wording.sentence import shown as as_read
from passer.errors import LedgerUnavailable, SigningRefused
from passer.ports import POSTING, RunRecord
from passer.services.provenance.outbox_poster import OutboxPoster
from passer.services.provenance.wallet_signing import Signed, TransactionToSign, WalletSigning
from passer.services.work.lease import leased
from tests.adapters.store.made import sweep
from tests.fake_wallets import FakeChainLedger, FakeWallets, signature_of
from tests.fakes import FakeClock

RUNS = ("study-000", "study-001")


class Desk:
    """Two finished runs whose entries wait, and the service over them."""

    def __init__(self, url: str) -> None:
        self.database, self.clock = Database(url), FakeClock()
        self.outbox, self.journal = DatabaseOutbox(self.database, self.clock), DatabaseJournal(self.database)
        self.wallets = FakeWallets(self.journal)
        self.ledger = FakeChainLedger(self.wallets, self.journal)
        self.work = DatabaseWork(self.database, self.clock)
        self.outbox_poster = OutboxPoster(self.outbox, self.ledger, self.clock, self.work)
        self.wallet_signing = WalletSigning(
            outbox=self.outbox,
            journal=self.journal,
            outbox_poster=self.outbox_poster,
            work=self.work,
            clock=self.clock,
            wallet=self.wallets,
        )
        store = DatabaseRuns(self.database, self.clock)
        store.create_sweep(sweep("study", runs=2))
        store.set_state(list(RUNS), RunState.RUNNING)
        for run_id, count in zip(RUNS, (53, 2), strict=True):
            made = tuple(entry(run_id, number) for number in range(count))
            store.finish(run_id, RunRecord(digest="a" * 64, manifest="{}", entries=made), ledger="antelope")

    def sign(self, shown: TransactionToSign, account: str | None = None) -> Signed:
        given = signature_of(shown.id, shown.account)
        return self.wallet_signing.sign(shown.id, account=account or shown.account, signatures=given)

    def states(self, run_id: str) -> list[str]:
        return [one.state for one in self.outbox.entries(run_id, ledger="antelope", limit=100)]

    def refused(self, reason: str, act: object, *arguments: object, **named: object) -> SigningRefused:
        assert callable(act)
        with pytest.raises(SigningRefused) as caught:
            act(*arguments, **named)
        assert caught.value.reason == reason, caught.value.message
        return caught.value


def entry(run_id: str, number: int) -> Entry:
    return Entry(
        action="addtest",
        testid=name_of(run_id),
        description=f"run {run_id} question q{number}",
        results=(number / 7,),
        run_digest=f"{number:064x}",
        config_digest="c" * 64,
    )


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(f"sqlite:///{tmp_path / 'passer.sqlite3'}")
    yield made
    made.database.close()


def test_a_run_is_signed_fifty_at_a_time_its_own_row_last(desk):
    first = desk.wallet_signing.prepare(account="alice", run_id=RUNS[0])
    assert (first.entries, first.waiting, first.run_ids) == (50, 3, RUNS[:1])
    signed = desk.sign(first)
    assert (signed.posted, signed.waiting) == (50, 5)
    rest = desk.wallet_signing.prepare(account="alice", run_id=RUNS[0])
    assert (rest.entries, rest.waiting) == (3, 0)
    assert desk.sign(rest).waiting == 2
    wanted = [entry(RUNS[0], number).identity for number in range(53)]
    assert list(desk.wallets.rows) == wanted
    assert set(desk.states(RUNS[0])) == {"posted"}
    assert set(desk.states(RUNS[1])) == {"waiting"}


def test_without_a_run_those_that_wait_longest_are_taken_over_the_borders_of_runs(desk):
    desk.sign(desk.wallet_signing.prepare(account="alice"))
    both = desk.wallet_signing.prepare(account="alice")
    assert (both.entries, both.run_ids, both.waiting) == (5, RUNS, 0)
    desk.sign(both)
    assert set(desk.states(RUNS[0])) == set(desk.states(RUNS[1])) == {"posted"}
    desk.refused("nothing-waits", desk.wallet_signing.prepare, account="alice")


def test_a_run_of_which_an_account_has_a_part_waits_whole_for_others(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[0])
    desk.refused("held", desk.wallet_signing.prepare, account="bob", run_id=RUNS[0])
    others = desk.wallet_signing.prepare(account="bob")
    assert others.run_ids == RUNS[1:]
    assert "alice" in desk.refused("held", desk.wallet_signing.prepare, account="carol").message
    desk.wallet_signing.drop(shown.id)
    assert desk.wallet_signing.prepare(account="carol").run_ids == RUNS[:1]


def test_tabs_that_ask_together_get_the_same_bytes(desk):
    found: list[str] = []
    threads = [
        Thread(target=lambda: found.append(desk.wallet_signing.prepare(account="alice", run_id=RUNS[0]).id))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(found) == 5
    assert len(set(found)) == 1
    assert len(desk.journal.sent("prepared")) == 1


def test_of_a_signature_and_a_giving_up_at_once_one_alone_counts(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    [kept] = desk.journal.sent("prepared")
    assert desk.journal.signed(kept.model_copy(update={"signatures": signature_of(shown.id, "alice")}))
    desk.refused("signed-already", desk.wallet_signing.drop, shown.id)
    desk.refused("foreign-key", desk.wallet_signing.sign, shown.id, account="alice", signatures=("SIG_x",))
    assert desk.sign(shown).posted == 2
    assert desk.wallets.pushed == [shown.id]


def test_one_that_is_about_to_expire_is_not_given_again(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.at = shown.expires_at - timedelta(seconds=60)
    assert desk.wallet_signing.prepare(account="alice", run_id=RUNS[1]) == shown
    desk.wallets.at += timedelta(seconds=1)
    anew = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    assert anew.id != shown.id
    desk.refused("given-up", desk.sign, shown)
    desk.wallets.at = anew.expires_at + timedelta(seconds=1)
    desk.refused("expired", desk.sign, anew)
    desk.refused("expired", desk.sign, anew)
    assert desk.wallet_signing.prepare(account="bob", run_id=RUNS[1]).entries == 2
    assert desk.wallets.pushed == []


def test_while_the_chain_is_away_signatures_are_kept_and_posted_later_once(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.away = True
    said = desk.refused("kept", desk.sign, shown).message
    assert "Start the node" in said
    desk.refused("kept", desk.sign, shown)
    known = desk.wallet_signing.chain()
    assert (known.available, known.waiting) == (False, 53)
    with pytest.raises(LedgerUnavailable):
        desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.away = False
    assert desk.outbox_poster.post(at_once=True).posted == 2
    assert desk.wallets.pushed == [shown.id]
    assert desk.sign(shown).posted == 2
    assert desk.wallets.pushed == [shown.id]


def test_an_answer_that_was_lost_is_made_good_by_whoever_looks_next(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.ledger.loses = 1
    desk.refused("kept", desk.sign, shown)
    desk.refused("nothing-waits", desk.wallet_signing.prepare, account="alice", run_id=RUNS[1])
    assert set(desk.states(RUNS[1])) == {"posted"}
    assert desk.wallets.pushed == [shown.id]


def test_a_foreign_signature_that_could_not_be_checked_is_never_pushed(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.away = True
    desk.refused(
        "kept", desk.wallet_signing.sign, shown.id, account="alice", signatures=signature_of(shown.id, "mallory")
    )
    desk.wallets.away = False
    desk.outbox_poster.post(at_once=True)
    assert desk.wallets.pushed == []
    assert set(desk.states(RUNS[1])) == {"waiting"}


def test_a_foreign_signature_that_could_not_be_checked_makes_room_for_the_right_one(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.away = True
    desk.refused(
        "kept", desk.wallet_signing.sign, shown.id, account="alice", signatures=signature_of(shown.id, "mallory")
    )
    desk.wallets.away = False
    desk.refused(
        "foreign-key", desk.wallet_signing.sign, shown.id, account="alice", signatures=signature_of(shown.id, "eve")
    )
    assert desk.sign(shown).posted == 3 - 1
    assert desk.wallets.pushed == [shown.id]


def test_while_another_process_posts_the_signatures_are_kept(desk, monkeypatch):
    monkeypatch.setattr("passer.services.provenance.wallet_signing.PATIENCE_S", 0.0)
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    with leased(desk.work, POSTING, refusal=lambda holder: f"{holder} posts."):
        said = desk.refused("kept", desk.sign, shown).message
    with reading("bg"):
        assert as_read(said).endswith("Друг процес на PaSSER записва.")
    assert desk.wallets.pushed == []
    desk.outbox_poster.post()
    assert desk.wallets.pushed == [shown.id]


def test_what_the_chain_has_already_is_not_prepared_again(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    [kept] = desk.journal.sent("prepared")
    desk.wallet_signing.drop(shown.id)
    desk.wallets.take(kept)  # the wallet sent by itself what it was asked to sign only
    block = {"state": "posted", "block_number": 1, "block_time": desk.wallets.at}
    desk.journal.settled([kept.model_copy(update=block)])
    desk.refused("nothing-waits", desk.wallet_signing.prepare, account="alice", run_id=RUNS[1])
    assert set(desk.states(RUNS[1])) == {"posted"}


def test_what_was_prepared_for_another_chain_is_dropped(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.chain_id = "2" * 64
    anew = desk.wallet_signing.prepare(account="bob", run_id=RUNS[1])
    assert (anew.chain_id, anew.account) == ("2" * 64, "bob")
    desk.refused("given-up", desk.sign, shown)


def test_what_was_signed_for_another_chain_holds_nothing(desk):
    shown = desk.wallet_signing.prepare(account="alice", run_id=RUNS[1])
    desk.wallets.away = True
    desk.refused("kept", desk.sign, shown)
    desk.wallets.away, desk.wallets.chain_id = False, "2" * 64
    anew = desk.wallet_signing.prepare(account="bob", run_id=RUNS[1])
    assert desk.sign(anew).posted == 2
    assert desk.wallets.pushed == [anew.id]


def test_waiting_for_a_person_is_no_failure(desk):
    for _ in range(3):
        desk.outbox_poster.post()
    for run_id in RUNS:
        [record] = desk.outbox.records(run_id, ledger="antelope")
        assert (record.reason, record.retry_at) == ("Sign in the browser.", None)
    desk.sign(desk.wallet_signing.prepare(account="alice", run_id=RUNS[0]))
    [record] = desk.outbox.records(RUNS[0], ledger="antelope")
    assert (record.waiting, record.reason, record.retry_at) == (3, "Sign in the browser.", None)
    desk.sign(desk.wallet_signing.prepare(account="alice", run_id=RUNS[0]))
    [record] = desk.outbox.records(RUNS[0], ledger="antelope")
    assert (record.waiting, record.reason) == (0, None)
