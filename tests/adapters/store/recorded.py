"""Records, entries and transactions for tests of outbox and journal."""

from __future__ import annotations

from passer.adapters.store.database import Database
from passer.adapters.store.journal import DatabaseJournal
from passer.adapters.store.outbox import DatabaseOutbox
from passer.adapters.store.runs import DatabaseRuns
from passer.domain.ledger.entry import ChainPlace, Entry, LocalPlace, Receipt
from passer.domain.sweeps.run import RunState
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
