"""The ledger on a real node: every entry there once, in order, or waiting with a reason."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from passer.antelope.ledger import pushing
from passer.antelope.signing.keys import PrivateKey
from passer.errors import ChainRefused, LedgerRefused, LedgerUnavailable
from tests.antelope.ledger.made import ME, Cut, Dead, entries, ledger_of, marked, on_chain, said, settled
from tests.fake_outbox import MemoryJournal


def test_entries_are_posted_in_order_fifty_a_transaction_and_become_final(chain, rpc, testid):
    journal = MemoryJournal()
    ledger = ledger_of(chain, rpc, journal)
    given = entries(testid, *range(120))
    receipts = ledger.append(given)
    assert [receipt.entry for receipt in receipts] == given
    assert on_chain(chain, testid) == said(given)
    assert [len(sent.identities) for sent in journal.sent("open")] == [50, 50, 20]
    assert receipts[51].place.action_index == 1
    assert receipts[51].place.creator == ME
    marked(journal, receipts)
    assert settled(chain, ledger) == 0
    final = journal.sent("final")
    assert len(final) == 3
    for sent in final:
        block = chain.node.call("/v1/chain/get_block", {"block_num_or_id": sent.block_id})
        assert sent.id in {part["trx"]["id"] for part in block["transactions"]}
        assert block["block_num"] == sent.block_number


def test_a_single_row_asks_for_the_state_of_the_chain_once_and_needs_no_thread(chain, rpc, testid, monkeypatch):
    """Both took a third of what posting a row takes."""
    ledger, asked, whole = ledger_of(chain, rpc), [], rpc.info
    given = entries(testid, 1, 2)
    ledger.append(given[:1])
    monkeypatch.setattr(rpc, "info", lambda: asked.append(True) or whole())
    monkeypatch.setattr(pushing, "ThreadPoolExecutor", None)
    ledger.append(given[1:])
    assert len(asked) == 1
    assert on_chain(chain, testid) == said(given)


def test_what_is_on_the_chain_is_not_posted_again_even_when_the_database_was_lost(chain, rpc, testid):
    given = entries(testid, 1, 2, 3)
    first = ledger_of(chain, rpc).append(given)
    chain.wait_irreversible(chain.wait_blocks())
    journal = MemoryJournal()
    again = ledger_of(chain, rpc, journal).append([*given, *entries(testid, 4)])
    assert on_chain(chain, testid) == said([*given, *entries(testid, 4)])
    assert [receipt.place.transaction_id for receipt in again[:3]] == [first[0].place.transaction_id] * 3
    assert [receipt.place.action_index for receipt in again[:3]] == [0, 1, 2]
    assert again[0].place.packed_transaction == first[0].place.packed_transaction
    assert again[0].place.signatures == first[0].place.signatures


def test_after_a_lost_answer_the_entries_are_found_on_the_chain(chain, rpc, testid):
    journal = MemoryJournal()
    ledger = ledger_of(chain, Cut(rpc), journal)
    given = entries(testid, *range(60))
    with pytest.raises(LedgerUnavailable, match="cut"):
        ledger.append(given)
    assert len(on_chain(chain, testid)) == 50
    # Refused until the chain has made its next block, which on a busy machine it has done already.
    with suppress(LedgerRefused):
        ledger.append(given)
    chain.wait_blocks(4)
    receipts = ledger.append(given)
    assert [receipt.entry for receipt in receipts] == given
    assert on_chain(chain, testid) == said(given)


def test_a_process_that_died_before_it_could_push_pushes_the_same_bytes(chain, rpc, testid):
    journal = MemoryJournal()
    given = entries(testid, 1, 2)
    with pytest.raises(LedgerUnavailable):
        ledger_of(chain, Dead(rpc), journal).append(given)
    assert on_chain(chain, testid) == []
    [kept] = journal.sent("open")
    receipts = ledger_of(chain, rpc, journal).append(given)
    assert {receipt.place.transaction_id for receipt in receipts} == {kept.id}
    assert on_chain(chain, testid) == said(given)


def test_the_same_bytes_twice_are_recognised(chain, rpc, testid, monkeypatch):
    """As on a node that has taken a transaction and does not show its rows yet."""
    journal = MemoryJournal()
    ledger = ledger_of(chain, Cut(rpc), journal)
    given = entries(testid, 1)
    with pytest.raises(LedgerUnavailable):
        ledger.append(given)
    with monkeypatch.context() as patched:
        patched.setattr(ledger._chain.rows, "of_testid", lambda *_, **__: iter(()))
        with pytest.raises(LedgerRefused, match="already"):
            ledger.append(given)
    chain.wait_blocks(4)
    assert len(ledger.append(given)) == 1
    assert on_chain(chain, testid) == said(given)


def test_an_expired_transaction_is_made_anew_only_when_no_block_can_take_it(chain, rpc, testid):
    journal = MemoryJournal()
    given = entries(testid, 1, 2)
    with pytest.raises(LedgerUnavailable):
        ledger_of(chain, Dead(rpc), journal, lifetime_s=1).append(given)
    [kept] = journal.sent("open")
    chain.wait_irreversible(chain.wait_blocks(6))
    receipts = ledger_of(chain, rpc, journal).append(given)
    assert kept.id not in {receipt.place.transaction_id for receipt in receipts}
    assert [sent.id for sent in journal.sent("dropped")] == [kept.id]
    assert on_chain(chain, testid) == said(given)


@pytest.mark.parametrize("expired", [False, True])
def test_the_order_holds_when_one_of_many_transactions_failed(chain, rpc, testid, expired):
    class Third(Cut):
        def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
            self._times += 1
            if self._times == 3:
                raise LedgerUnavailable("not this one")
            return self._rpc.push(packed, signatures)

    journal = MemoryJournal()
    given = entries(testid, *range(550))
    receipts = ledger_of(chain, Third(rpc, 0), journal, lifetime_s=2 if expired else 60).append(given)
    assert len(receipts) == 100
    marked(journal, receipts)
    assert len(journal.sent("open")) > 3, "some were signed ahead"
    if expired:
        chain.wait_irreversible(chain.wait_blocks(7))
    assert len(ledger_of(chain, rpc, journal).append(given[100:])) == 450
    assert on_chain(chain, testid) == said(given)
    assert bool(journal.sent("dropped")) == expired


def test_while_nobody_knows_whether_it_was_taken_an_expired_one_waits(chain, rpc, testid, monkeypatch):
    journal = MemoryJournal()
    given = entries(testid, 1)
    with pytest.raises(LedgerUnavailable):
        ledger_of(chain, Dead(rpc), journal, lifetime_s=1).append(given)
    [kept] = journal.sent("open")
    chain.wait_blocks(6)
    ledger = ledger_of(chain, rpc, journal)
    monkeypatch.setattr(ledger._settling, "_irreversible_time", lambda info: kept.expires_at - timedelta(seconds=1))
    with pytest.raises(LedgerRefused, match="expired"):
        ledger.append(given)
    assert journal.sent("open") == [kept]
    assert on_chain(chain, testid) == []


def test_out_of_memory_says_so_and_goes_on_when_there_is_some(chain, rpc, testid):
    journal = MemoryJournal()
    ledger = ledger_of(chain, rpc, journal)
    given = entries(testid, *range(60))
    before = chain.ram_usage(ME)
    ledger.append(entries(testid, 1000))
    row = chain.ram_usage(ME) - before
    chain.limit(ME, ram=before + 56 * row)
    try:
        receipts = ledger.append(given)
        assert len(receipts) == 50, "what fitted was taken"
        marked(journal, receipts)
        with pytest.raises(ChainRefused, match="Buy RAM") as refused:
            ledger.append(given[50:])
        assert refused.value.reason == "ram"
        assert on_chain(chain, testid)[1:] == said(given[:50])
    finally:
        chain.limit(ME)
    assert len(ledger.append(given[50:])) == 10
    assert on_chain(chain, testid)[1:] == said(given)


def test_a_key_without_authority_is_refused_and_nothing_is_recorded(chain, rpc, testid):
    with pytest.raises(ChainRefused, match="do not satisfy the creator's permission") as refused:
        ledger_of(chain, rpc, key=PrivateKey.generate()).append(entries(testid, 1))
    assert refused.value.reason == "authority"
    with pytest.raises(LedgerRefused, match="PASSER_CHAIN_KEY"):
        ledger_of(chain, rpc, key=None).append(entries(testid, 1))
    assert on_chain(chain, testid) == []


def test_a_block_that_never_came_lets_its_entries_wait_again(chain, rpc, testid):
    """As when a node took a transaction and lost its block."""
    journal = MemoryJournal()
    ledger = ledger_of(chain, rpc, journal)

    class Lost(Cut):
        def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
            raise LedgerUnavailable("gone")

    given = entries(testid, 1)
    with pytest.raises(LedgerUnavailable):
        ledger_of(chain, Lost(rpc), journal, lifetime_s=1).append(given)
    [kept] = journal.sent("open")
    info = rpc.info()
    believed = {"state": "posted", "block_number": info.head_block_num, "block_time": info.head_block_time}
    journal.settled([kept.model_copy(update=believed)])
    chain.wait_blocks(6)
    assert settled(chain, ledger) == 0
    assert [sent.state for sent in journal.sent("final", "dropped")] == ["dropped"]
    assert len(ledger.append(given)) == 1
    assert on_chain(chain, testid) == said(given)


def test_what_a_node_lost_before_a_block_had_it_is_pushed_again(chain, rpc, testid):
    journal = MemoryJournal()
    ledger = ledger_of(chain, rpc, journal)

    class Lost(Cut):
        def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
            raise LedgerUnavailable("gone")

    given = entries(testid, 1, 2)
    with pytest.raises(LedgerUnavailable):
        ledger_of(chain, Lost(rpc), journal).append(given)
    [kept] = journal.sent("open")
    info = rpc.info()
    believed = {"state": "posted", "block_number": info.last_irreversible_block_num, "block_time": info.head_block_time}
    journal.settled([kept.model_copy(update=believed)])
    assert ledger.settle() == 1
    assert settled(chain, ledger) == 0
    assert [sent.id for sent in journal.sent("final")] == [kept.id]
    assert on_chain(chain, testid) == said(given)


def test_a_block_other_than_the_expected_one_is_found(chain, rpc, testid, monkeypatch):
    journal = MemoryJournal()
    ledger = ledger_of(chain, rpc, journal)
    receipts = ledger.append(entries(testid, 1))
    number = receipts[0].place.block_number
    marked(journal, receipts)
    for traced in (True, False):
        [sent] = journal.sent("posted", "final")
        journal.settled([sent.model_copy(update={"state": "posted", "block_number": number - 1, "block_id": None})])
        with monkeypatch.context() as patched:
            if not traced:
                patched.setattr(rpc, "block_of", lambda _: None)
            assert settled(chain, ledger) == 0
        [sent] = journal.sent("final")
        assert sent.block_number == number
