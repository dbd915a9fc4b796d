"""The local ledger: a chain that never forks, and that shows every change."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import rfc8785
from sqlalchemy import create_engine, text

from passer.adapters.store.database import Database
from passer.adapters.store.local_ledger import LocalLedger
from passer.domain.ledger.entry import Entry
from passer.errors import ConflictError, InputError, NotFoundError, StoreUnavailable
from passer.ports import LedgerQuery
from tests.fake_outbox import FakeLedger
from tests.fakes import FakeClock
from tests.forked import Forked


def entry(number: int, testid: str = "testtesttest", value: float = 0.5) -> Entry:
    return Entry(
        action="addtest",
        testid=testid,
        description=f"run r question q{number} – ü",
        results=(value, 1 / 3, 0.0),
        run_digest=f"{number:064x}",
        config_digest="c" * 64,
    )


def opened(url: str) -> LocalLedger:
    return LocalLedger(Database(url), FakeClock(), place="here")


def closed(ledger: LocalLedger) -> None:
    ledger._database.close()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'passer.sqlite3'}"


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def ledger(request: pytest.FixtureRequest, url: str) -> Iterator[LocalLedger | FakeLedger]:
    if request.param == "memory":
        yield FakeLedger(FakeClock())
        return
    if request.param == "postgresql":
        url = request.getfixturevalue("empty_postgres")
    made = opened(url)
    yield made
    closed(made)


def test_entries_come_back_as_they_were_and_each_is_there_once(ledger):
    assert ledger.head().entries == 0
    assert ledger.head().digest is None
    first = ledger.append([entry(1), entry(2)])
    again = ledger.append([entry(2), entry(3), entry(1)])
    assert [receipt.place.sequence for receipt in first] == [1, 2]
    assert [receipt.place.sequence for receipt in again] == [2, 3, 1]
    assert again[0] == first[1]
    assert [row.description for row in ledger.list(LedgerQuery()).items] == [entry(n).description for n in (1, 2, 3)]
    assert ledger.get("2").results == entry(2).results
    assert ledger.head().entries == 3
    with pytest.raises(NotFoundError):
        ledger.get("4")


def test_rows_are_found_by_run_and_time_page_by_page(ledger):
    receipts = ledger.append([entry(1), entry(2, "other"), entry(3), entry(4)])
    page = ledger.list(LedgerQuery(testid="testtesttest", limit=2))
    assert [row.id for row in page.items] == ["1", "3"]
    rest = ledger.list(LedgerQuery(testid="testtesttest", limit=2, after=page.next))
    assert ([row.id for row in rest.items], rest.next) == (["4"], None)
    at = receipts[0].recorded_at
    assert len(ledger.list(LedgerQuery(since=at)).items) == 4
    assert len(ledger.list(LedgerQuery(until=at)).items) == 0
    assert len(ledger.list(LedgerQuery(since=at + timedelta(days=1))).items) == 0
    assert ledger.list(LedgerQuery(account="alice")).items == (), "nobody signs here"


def test_an_entry_is_verified_found_different_or_absent(ledger):
    ledger.append([entry(1)])
    assert ledger.verify(entry(1)).verdict == "equal"
    assert ledger.verify(entry(1, value=0.25)).verdict == "differs"
    assert ledger.verify(entry(2)).verdict == "absent"


def test_a_row_holds_the_digest_of_the_one_before_by_the_book(url):
    ledger = opened(url)
    receipts = ledger.append([entry(1), entry(2)])
    previous = "0" * 64
    for number, receipt in enumerate(receipts, start=1):
        row = json.loads(receipt.model_dump_json())
        hashed = {"sequence": number, "previous": previous, "recorded_at": row["recorded_at"], "entry": row["entry"]}
        assert receipt.place.previous == previous
        assert receipt.place.digest == hashlib.sha256(rfc8785.dumps(hashed)).hexdigest()
        previous = receipt.place.digest
    head = ledger.head()
    assert (head.entries, head.digest, head.at) == (2, previous, receipts[-1].recorded_at)
    assert "one operator" in head.proves_not
    assert ledger.broken() is None
    closed(ledger)


CHANGES = {
    "results": "UPDATE ledger SET entry = replace(entry, '0.5', '0.75') WHERE sequence = 2",
    "time": "UPDATE ledger SET recorded_at = '2020-01-01T00:00:00Z' WHERE sequence = 2",
    "looked up by": "UPDATE ledger SET testid = 'another' WHERE sequence = 2",
    "identity": f"UPDATE ledger SET identity = '{'9' * 64}' WHERE sequence = 2",
    "removed in the middle": "DELETE FROM ledger WHERE sequence = 2",
    "removed at the front": "DELETE FROM ledger WHERE sequence = 1",
    "link": f"UPDATE ledger SET previous = '{'9' * 64}' WHERE sequence = 2",
    "digest": f"UPDATE ledger SET digest = '{'9' * 64}' WHERE sequence = 2",
    "swapped": "UPDATE ledger SET sequence = CASE sequence WHEN 2 THEN -3 WHEN 3 THEN -2 ELSE sequence END; "
    "UPDATE ledger SET sequence = abs(sequence)",
}


def tampered(url: str, statements: str) -> None:
    """As an operator could, with the triggers out of the way."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for act in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER ledger_refuses_{act}"))
        for statement in statements.split("; "):
            connection.execute(text(statement))
    engine.dispose()


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_change_behind_its_back_is_found(url, change):
    ledger = opened(url)
    ledger.append([entry(n) for n in range(4)])
    assert ledger.broken() is None
    tampered(url, CHANGES[change])
    found = ledger.broken()
    assert found is not None
    assert "Row" in found
    closed(ledger)


def test_an_earlier_head_finds_what_was_cut_off_or_written_anew(url, tmp_path):
    ledger = opened(url)
    ledger.append([entry(n) for n in range(3)])
    published = (3, ledger.head().digest)
    ledger.append([entry(3)])
    assert ledger.broken(until=published) is None
    anew = opened(f"sqlite:///{tmp_path / 'anew.sqlite3'}")
    anew.append([entry(n, value=0.9) for n in range(4)])
    assert anew.broken() is None, "a ledger written anew is whole in itself"
    assert "earlier head" in str(anew.broken(until=published))
    tampered(url, "DELETE FROM ledger WHERE sequence >= 3")
    assert ledger.broken() is None
    assert "removed" in str(ledger.broken(until=published))
    closed(ledger)
    closed(anew)


@pytest.mark.parametrize("statement", ["UPDATE ledger SET testid = 'x'", "DELETE FROM ledger"])
@pytest.mark.parametrize("ledger", ["sqlite", "postgresql"], indirect=True)
def test_the_database_itself_refuses_to_change_a_row(ledger, statement):
    ledger.append([entry(1)])
    with pytest.raises((ConflictError, StoreUnavailable), match="append-only"):
        change(ledger, statement)
    assert ledger.broken() is None


def change(ledger: LocalLedger, statement: str) -> None:
    with ledger._database.begin() as connection:
        connection.execute(text(statement))


def test_a_row_number_is_a_number(url):
    ledger = opened(url)
    for wrong in ("x", "-1", "1.5", "²", "9" * 30):
        with pytest.raises(InputError, match="sequence number"):
            ledger.get(wrong)
    closed(ledger)


def append_25() -> None:
    """What each process does: entries of its own, and ones that all append."""
    _, url, mark = sys.argv
    ledger = opened(url)
    for number in range(25):
        ledger.append([entry(1000 * int(mark) + number), entry(500 + number)])
    closed(ledger)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_processes_that_append_together_never_fork_the_chain(request, url, database):
    if database == "postgresql":
        url = request.getfixturevalue("empty_postgres")
    ledger = opened(url)
    runs = f"{append_25.__module__}:{append_25.__name__}"
    workers = [Forked(url, mark, environment=dict(os.environ), runs=runs) for mark in (1, 2, 3)]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0, 0]
    assert ledger.head().entries == 3 * 25 + 25, "what all three appended is there once"
    assert ledger.broken() is None
    closed(ledger)
