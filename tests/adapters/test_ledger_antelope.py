"""The ledger on a real node: every entry there once, in order, or waiting with a reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import count

import pytest

from passer.adapters.antelope.chain import AntelopeChain
from passer.adapters.antelope.keys import PrivateKey
from passer.adapters.antelope.rpc import Rpc
from passer.adapters.ledgers.antelope import AntelopeLedger
from passer.domain.ledger.entry import Entry, Receipt
from passer.domain.ledger.entry import testid_of as name_of
from passer.errors import ChainRefused, InputError, LedgerRefused, LedgerUnavailable, NotFoundError
from passer.ports import LedgerQuery
from passer.services.tracing import Tracing
from tests.chain.booted import PUBLISHED as ACCOUNT
from tests.chain.booted import Chain
from tests.contracts.packed import PUBLISHED
from tests.fake_outbox import MemoryJournal

ME, OTHER = "researcher1", "researcher2"
runs = count()


@pytest.fixture
def testid() -> str:
    """Each test has a run of its own on the shared chain."""
    return name_of(f"test-{next(runs)}")


@pytest.fixture
def rpc(chain: Chain) -> Iterator[Rpc]:
    made = Rpc((chain.url,))
    yield made
    made.close()


def ledger_of(chain: Chain, rpc: Rpc, journal: MemoryJournal | None = None, **changes: object) -> AntelopeLedger:
    given = {"account": ME, "key": chain.keys[ME], **changes}
    return AntelopeLedger(AntelopeChain(rpc, chain.contract), journal or MemoryJournal(), **given)


def entries(testid: str, *numbers: int, value: float = 1 / 3) -> list[Entry]:
    return [
        Entry(
            action="addtest",
            testid=testid,
            description=f"run r question q{number} – ü",
            results=(value, 0.0, 5e-324, -1.5e300),
            run_digest=f"{number:064x}",
            config_digest="c" * 64,
        )
        for number in numbers
    ]


def on_chain(chain: Chain, testid: str, table: str = "testtable") -> list[str]:
    rows = chain.rows(table, index=3, key=testid)
    return [row["description"] for row in sorted(rows, key=lambda row: int(row["id"]))]


def said(given: list[Entry]) -> list[str]:
    return [entry.description for entry in given]


def marked(journal: MemoryJournal, receipts: list[Receipt]) -> None:
    """What the outbox does with receipts: their transactions are no longer open."""
    places = {receipt.place.transaction_id: receipt for receipt in receipts}
    moved = [
        sent.model_copy(
            update={
                "state": "posted",
                "block_number": places[sent.id].place.block_number,
                "block_time": places[sent.id].recorded_at,
            }
        )
        for sent in journal.sent("open")
        if sent.id in places
    ]
    journal.settled(moved)


def settled(chain: Chain, ledger: AntelopeLedger) -> int:
    chain.wait_irreversible(chain.wait_blocks())
    return ledger.settle()


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


class Cut:
    """Loses the answer to a push that the chain took, as a cut connection does; `times` of them."""

    def __init__(self, rpc: Rpc, times: int = 1) -> None:
        self._rpc, self._times = rpc, times

    def __getattr__(self, name: str) -> object:
        return getattr(self._rpc, name)

    def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
        pushed = self._rpc.push(packed, signatures)
        if self._times:
            self._times -= 1
            raise LedgerUnavailable("The connection was cut.")
        return pushed


def test_after_a_lost_answer_the_entries_are_found_on_the_chain(chain, rpc, testid):
    journal = MemoryJournal()
    ledger = ledger_of(chain, Cut(rpc), journal)
    given = entries(testid, *range(60))
    with pytest.raises(LedgerUnavailable, match="cut"):
        ledger.append(given)
    assert len(on_chain(chain, testid)) == 50
    with pytest.raises(LedgerRefused, match="next block"):
        ledger.append(given)
    chain.wait_blocks(4)
    receipts = ledger.append(given)
    assert [receipt.entry for receipt in receipts] == given
    assert on_chain(chain, testid) == said(given)


def test_a_process_that_died_before_it_could_push_pushes_the_same_bytes(chain, rpc, testid):
    class Dead(Cut):
        def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
            raise LedgerUnavailable("kill -9")

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
    class Dead(Cut):
        def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
            raise LedgerUnavailable("kill -9")

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
    class Dead(Cut):
        def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
            raise LedgerUnavailable("kill -9")

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
    with pytest.raises(ChainRefused, match="authority") as refused:
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


def test_rows_are_listed_by_account_run_and_time_page_by_page(chain, rpc, testid):
    mine, others = ledger_of(chain, rpc), ledger_of(chain, rpc, account=OTHER, key=chain.keys[OTHER])
    mine.append(entries(testid, 1, 2, 3))
    others.append(entries(testid, 4))
    timed = [entry.model_copy(update={"action": "addtimetest"}) for entry in entries(testid, 5)]
    mine.append(timed)
    chain.wait_blocks(2)
    page = mine.list(LedgerQuery(testid=testid, limit=2))
    rest = mine.list(LedgerQuery(testid=testid, limit=9, after=page.next))
    numbers = [row.description.split()[3] for row in (*page.items, *rest.items)]
    assert numbers == ["q1", "q2", "q3", "q4", "q5"]
    assert rest.next is None
    assert [row.account for row in rest.items] == [ME, OTHER, ME]
    of_me = mine.list(LedgerQuery(testid=testid, account=ME, limit=9))
    assert len(of_me.items) == 4
    assert {row.account for row in mine.list(LedgerQuery(account=OTHER)).items} == {OTHER}
    at = rest.items[-1].recorded_at
    assert testid in {row.testid for row in mine.list(LedgerQuery(since=at, limit=1000)).items}
    assert mine.list(LedgerQuery(testid=testid, since=at + timedelta(seconds=1))).items == ()
    assert mine.list(LedgerQuery(testid=testid, until=page.items[0].recorded_at)).items == ()
    assert mine.get(page.items[0].id) == page.items[0]
    assert page.items[0].results == entries(testid, 1)[0].results
    for wrong in ("addtest-x", "17", "addtest-01"):
        with pytest.raises(InputError):
            mine.get(wrong)
    with pytest.raises(NotFoundError):
        mine.get("addtest-999999999")


def test_an_entry_is_verified_found_different_or_absent(chain, rpc, testid):
    ledger = ledger_of(chain, rpc)
    [given] = entries(testid, 1)
    ledger.append([given])
    assert ledger.verify(given).verdict == "equal"
    assert ledger.verify(given.model_copy(update={"run_digest": "9" * 64})).verdict == "differs"
    assert ledger.verify(entries(testid, 2)[0]).verdict == "absent"
    assert ledger_of(chain, rpc, account=OTHER).verify(given).verdict == "absent", "another signed it"


def test_the_head_is_the_last_irreversible_block(chain, rpc):
    info = rpc.info()
    head = ledger_of(chain, rpc).head()
    assert head.kind == "antelope"
    assert head.at is not None
    assert chain.chain_id in head.place
    assert head.entries is not None
    assert head.digest is not None
    assert int(head.digest[:8], 16) >= info.last_irreversible_block_num


@pytest.fixture(scope="module")
def published(chain: Chain) -> str:
    """The published contract, on an account of its own."""
    wasm, abi = (PUBLISHED / "published.wasm").read_bytes(), json.loads((PUBLISHED / "published.abi").read_text())
    chain.deploy(ACCOUNT, wasm=wasm, abi=abi)
    return ACCOUNT


def test_the_published_contract_is_written_and_read_and_its_rows_are_marked(chain, published, rpc, testid):
    journal = MemoryJournal()

    def ledger(through: object) -> AntelopeLedger:
        contract = AntelopeChain(through, published, published=True)
        return AntelopeLedger(contract, journal, account=ME, key=chain.keys[ME], published=True)

    given = entries(testid, 1, 2)
    with pytest.raises(LedgerUnavailable):
        ledger(Cut(rpc)).append(given)
    chain.wait_blocks(4)
    receipts = ledger(rpc).append([*given, *entries(testid, 3)])
    assert [receipt.entry for receipt in receipts] == [*given, *entries(testid, 3)]
    page = ledger(rpc).list(LedgerQuery(testid=testid))
    assert [row.description for row in page.items] == [
        f"{entry.description} digest {entry.run_digest}" for entry in entries(testid, 1, 2, 3)
    ]
    assert {(row.authenticated, row.run_digest) for row in page.items} == {(False, None)}
    found = ledger(rpc).verify(given[0])
    assert found.verdict == "equal"
    assert "unauthenticated" in found.detail
    assert ledger(rpc).verify(given[0].model_copy(update={"run_digest": "9" * 64})).verdict == "absent"
    assert "no authority" in ledger(rpc).head().proves_not
    marked(journal, receipts)
    assert settled(chain, ledger(rpc)) == 0


def test_an_export_of_the_published_contract_is_compared_by_the_digest_it_claims(chain, published, rpc, testid):
    contract = AntelopeChain(rpc, published, published=True)
    ledger = AntelopeLedger(contract, MemoryJournal(), account=ME, key=chain.keys[ME], published=True)
    ledger.append(entries(testid, 1, 2))
    tracing = Tracing(ledger=ledger, tables=())
    lines = [row.model_dump_json() for row in tracing.rows(LedgerQuery(testid=testid))]
    found = tracing.compare("\n".join(lines).encode(), name="rows.jsonl")
    assert (found.equal, found.unauthenticated, found.holds) == (2, 2, True)
