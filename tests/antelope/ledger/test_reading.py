"""The rows that the ledger reads from a real node, those of the published contract among them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from passer.antelope.client.chain import AntelopeChain
from passer.antelope.ledger.ledger import AntelopeLedger
from passer.errors import InputError, LedgerUnavailable, NotFoundError
from passer.ports import LedgerQuery
from passer.services.provenance.ledger_browser import LedgerBrowser
from tests.antelope.ledger.made import ME, OTHER, Cut, entries, ledger_of, marked, settled
from tests.fake_outbox import MemoryJournal


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
    ledger_browser = LedgerBrowser(ledger=ledger, tables=())
    lines = [row.model_dump_json() for row in ledger_browser.rows(LedgerQuery(testid=testid))]
    found = ledger_browser.compare("\n".join(lines).encode(), name="rows.jsonl")
    assert (found.equal, found.unauthenticated, found.holds) == (2, 2, True)
