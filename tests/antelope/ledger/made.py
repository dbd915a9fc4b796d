"""What tests of the ledger on a chain share: entries, and looks at what became of them."""

from __future__ import annotations

from passer.antelope.client.chain import AntelopeChain
from passer.antelope.client.rpc import Rpc
from passer.antelope.ledger.ledger import AntelopeLedger
from passer.domain.ledger.entry import Entry, Receipt
from passer.errors import LedgerUnavailable
from tests.chain.booted import Chain
from tests.fake_outbox import MemoryJournal

ME, OTHER = "researcher1", "researcher2"


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


class Dead(Cut):
    """Ends before it can push, as a killed process does."""

    def push(self, packed: bytes, signatures: tuple[str, ...]) -> object:
        raise LedgerUnavailable("kill -9")
