"""The ledger on an Antelope chain: what was signed is kept before it is pushed, and looked up before the next push.

A transaction that is not known to be taken stays open in the journal. It is then either found on the chain, or pushed
again as the same bytes, which a chain takes at most once; new bytes are made only when the chain's irreversible time
has passed the expiration and its entries are not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from passer.adapters.antelope.chain import LIFETIME_S, AntelopeChain, push_receipt
from passer.adapters.antelope.keys import PrivateKey
from passer.adapters.antelope.replies import ChainInfo
from passer.adapters.ledgers.blocks import Blocks, FoundBlock
from passer.adapters.ledgers.listing import Listing, action_of
from passer.adapters.ledgers.pushing import Signer, pushed_in_order
from passer.domain.antelope.packing import Unpacker
from passer.domain.antelope.transaction import unpacked_transaction
from passer.domain.chain import PushReceipt
from passer.domain.ledger import ChainPlace, Entry, Receipt
from passer.errors import ChainRefused, LedgerRefused, LedgerUnavailable
from passer.ports import Journal, LedgerHead, LedgerKind, LedgerPage, LedgerQuery, LedgerRow, Sent, Verified

PROVES = (
    "Every row was signed by the account that it names and stands in a block that many keep: it was there at that "
    "time, and nobody can change or remove it while the contract's code is the one of PaSSER's repository."
)
PROVES_NOT = (
    "It does not prove that what was measured is true, nor anything beyond the rows and the digests in them; on a "
    "chain that one operator runs alone it proves no more than a local ledger."
)
LEGACY_PROVES = "That somebody wrote these rows into the published contract, and that they are there now."
LEGACY_PROVES_NOT = (
    "It proves neither who wrote a row nor that rows were not erased: the published contract checks no authority, and "
    "anyone can empty its tables."
)
NEXT_BLOCK = "Wait for the next block: the chain has the transaction already."
UNTIL_SHOWN = timedelta(seconds=2)
"""How long after a row was made its block may not be shown yet."""
LEGACY_DIGEST = " digest "
"""In the published contract, which has no place for it, the digest follows this in the description."""


class AntelopeLedger:
    """ports.Ledger on a contract."""

    kind: LedgerKind = "antelope"

    def __init__(
        self,
        chain: AntelopeChain,
        journal: Journal,
        *,
        account: str | None,
        permission: str = "active",
        key: PrivateKey | None,
        published: bool = False,
        lifetime_s: int = LIFETIME_S,
    ) -> None:
        self._chain, self._journal = chain, journal
        self._account, self._published = account, published
        self._signer = Signer(account, permission, key, lifetime_s) if account is not None and key is not None else None
        self._blocks = Blocks(chain.rpc)
        self._listing = Listing(chain.rows)
        self._seen: set[str] = set()
        """Runs that were looked up on the chain by this process: what they have there it knows."""

    def append(self, entries: Sequence[Entry]) -> list[Receipt]:
        """Receipts of the first entries, in order; fewer than given where something stopped it after some."""
        receipts: list[Receipt] = []
        try:
            for one in self._appended(entries):
                receipts.append(one)  # noqa: PERF402  what came before a failure is kept
        except (LedgerRefused, LedgerUnavailable):
            if not receipts:
                raise
        return receipts

    def settle(self) -> int:
        """See to what was posted: in an irreversible block it is final, and what the chain lost waits again."""
        posted = [sent for sent in self._journal.sent("posted") if self._is_mine(sent)]
        if not posted:
            return 0
        info = self._chain.rpc.info()
        posted = [sent for sent in posted if sent.chain_id == info.chain_id]
        changed = [after for sent in posted if (after := self._settled(sent, info)) != sent]
        self._journal.settled(changed)
        return len(posted) - sum(sent.state != "posted" for sent in changed)

    def get(self, row_id: str) -> LedgerRow:
        """One row by action and number, as `addtest-17`."""
        return self._listing.get(row_id)

    def list(self, query: LedgerQuery) -> LedgerPage:
        """Rows of one table and then of the other, each oldest first, straight from the chain."""
        return self._listing.page(query)

    def verify(self, entry: Entry) -> Verified:
        """Whether the chain holds just this entry."""
        wanted, other = self._written(entry), None
        for row in self._chain.rows.of_testid(entry.action, entry.testid):
            if self._account in (None, row.account):
                if _key_of_row(row) == _key_of(wanted, published=self._published):
                    said = "" if row.authenticated else " (legacy, unauthenticated)"
                    return Verified(verdict="equal", detail=f"Row {row.id} of {row.account} holds it{said}.", row=row)
                other = row if row.description == wanted.description else other
        if other is not None:
            return Verified(verdict="differs", detail=f"Row {other.id} says something else of it.", row=other)
        return Verified(verdict="absent", detail="The contract has no such row.")

    def head(self) -> LedgerHead:
        """The last irreversible block."""
        info = self._chain.rpc.info()
        rows = [self._chain.rows.last_number(action) for action in self._chain.rows.actions]
        return LedgerHead(
            kind="antelope",
            place=f"{self._chain.contract} on chain {info.chain_id} at {', '.join(self._chain.rpc.urls)}",
            entries=sum(0 if last is None else last + 1 for last in rows),
            digest=info.last_irreversible_block_id,
            at=self._chain.rpc.block_info(info.last_irreversible_block_num).timestamp,
            proves=LEGACY_PROVES if self._published else PROVES,
            proves_not=LEGACY_PROVES_NOT if self._published else PROVES_NOT,
        )

    # -- appending ------------------------------------------------------------------------------------------------

    def _appended(self, entries: Sequence[Entry]) -> Iterator[Receipt]:
        info = self._chain.rpc.info()
        sent = [one for one in self._journal.sent("open") if self._is_mine(one) and one.chain_id == info.chain_id]
        opened = {identity: one for one in sent for identity in one.identities}
        there = self._there(entries, opened)
        fresh: list[Entry] = []
        taken: dict[str, PushReceipt | None] = {}
        for entry in entries:
            row, known = there.get(entry.identity), opened.get(entry.identity)
            if row is None and known is not None and known.id not in taken:
                yield from self._posted(fresh)
                fresh = []
                taken[known.id] = self._pushed_again(known, info)
            pushed = taken.get(known.id) if known is not None else None
            if row is None and pushed is None:
                fresh.append(entry)
                continue
            yield from self._posted(fresh)
            fresh = []
            if row is not None:
                yield self._receipt_of_row(entry, row, known)
            elif known is not None and pushed is not None:
                yield _receipt(entry, known, pushed)
        yield from self._posted(fresh)

    def _posted(self, entries: Sequence[Entry]) -> Iterator[Receipt]:
        """Sign, keep, push: in order, one transaction after the other."""
        if not entries:
            return
        if self._signer is None:
            raise LedgerRefused(
                "Sign in the browser, or set PASSER_CHAIN_ACCOUNT with PASSER_CHAIN_KEY or PASSER_CHAIN_KEY_FILE: "
                "PaSSER has no key to sign with."
            )
        for of_one, sent, pushed in pushed_in_order(self._chain, self._journal, self._signer, entries, self._written):
            for entry in of_one:
                yield _receipt(entry, sent, pushed)

    def _pushed_again(self, sent: Sent, info: ChainInfo) -> PushReceipt | None:
        """The same bytes once more, which a chain takes once; None where they expired for good and are given up."""
        if self._is_gone(sent, info):
            self._journal.settled([sent.model_copy(update={"state": "dropped"})])
            return None
        if sent.expires_at < info.head_block_time:
            raise LedgerRefused(
                f"Wait: a transaction expired at {sent.expires_at:%H:%M:%S}, and whether a block took it is known when "
                "the chain's irreversible blocks have passed that time."
            )
        try:
            return push_receipt(self._chain.rpc.push(bytes.fromhex(sent.packed), sent.signatures))
        except ChainRefused as exc:
            if exc.reason != "duplicate":
                raise
            # It was taken, and its answer lost; its rows are seen as soon as the node has the block.
            raise LedgerRefused(NEXT_BLOCK) from exc

    def _there(self, entries: Sequence[Entry], opened: dict[str, Sent]) -> dict[str, LedgerRow]:
        """Rows of these entries that are on the chain, where there is any doubt about it."""
        doubted = {
            (entry.action, entry.testid)
            for entry in entries
            if entry.identity in opened or entry.testid not in self._seen
        }
        rows: dict[object, LedgerRow] = {}
        for action, testid in doubted:
            found = self._chain.rows.of_testid(action, testid)
            rows.update({_key_of_row(row): row for row in found if row.account == self._account})
        self._seen.update(testid for _, testid in doubted)
        if not rows:
            return {}
        keys = {entry.identity: _key_of(self._written(entry), published=self._published) for entry in entries}
        return {identity: rows[key] for identity, key in keys.items() if key in rows}

    def _receipt_of_row(self, entry: Entry, row: LedgerRow, sent: Sent | None) -> Receipt:
        """The receipt of an entry that was found on the chain."""
        found = self._blocks.holding(sent.id, at=row.recorded_at) if sent is not None else None
        if found is not None and sent is not None:
            return _receipt(entry, sent, found)
        account = str(row.account)
        written = self._written(entry)
        foreign = self._blocks.recording(
            written, contract=self._chain.contract, account=account, at=row.recorded_at, legacy=self._published
        )
        if foreign is None and row.recorded_at + UNTIL_SHOWN > self._chain.rpc.info().head_block_time:
            raise LedgerRefused(NEXT_BLOCK)
        if foreign is None:
            raise LedgerRefused(
                f"Name a node that keeps all blocks in PASSER_CHAIN_URLS: row {row.id} is on the chain, but this node "
                "does not have the block that made it."
            )
        kept = Sent(
            id=foreign.block.transaction_id,
            chain_id=self._chain.rpc.info().chain_id,
            contract=self._chain.contract,
            creator=account,
            packed=foreign.packed,
            signatures=foreign.signatures,
            expires_at=foreign.expires_at,
            identities=(entry.identity,),
            state="posted",
            block_number=foreign.block.block_number,
            block_time=foreign.block.block_time,
        )
        self._journal.keep([kept])
        return _receipt(entry, kept, foreign.block, place=foreign.action_index)

    def _written(self, entry: Entry) -> Entry:
        """As the contract takes it: the published one has a place for the digest in the description only."""
        if not self._published:
            return entry
        return entry.model_copy(update={"description": entry.description + LEGACY_DIGEST + entry.run_digest})

    # -- settling -------------------------------------------------------------------------------------------------

    def _settled(self, sent: Sent, info: ChainInfo) -> Sent:
        """A posted transaction as it is now."""
        if sent.block_number is not None and sent.block_number > info.last_irreversible_block_num:
            return sent
        found = self._blocks.holding(sent.id, number=sent.block_number)
        if found is None:
            # Another block took it than the node expected, or none did: its rows tell.
            row = self._row_of(sent)
            found = self._blocks.holding(sent.id, at=row.recorded_at) if row is not None else None
            if row is None:
                return self._lost(sent, info)
        if found is None:
            return sent
        known = {"block_number": found.block_number, "block_time": found.block_time}
        if found.block_number <= info.last_irreversible_block_num:
            known |= {"state": "final", "block_id": found.block_id}
        return sent.model_copy(update=known)

    def _lost(self, sent: Sent, info: ChainInfo) -> Sent:
        """A transaction that a node took and no block has: given up once it expired for good, pushed again before."""
        if self._is_gone(sent, info):
            return sent.model_copy(update={"state": "dropped"})
        with suppress(LedgerRefused, LedgerUnavailable):
            pushed = self._chain.rpc.push(bytes.fromhex(sent.packed), sent.signatures).processed
            return sent.model_copy(update={"block_number": pushed.block_num, "block_time": pushed.block_time})
        return sent

    def _row_of(self, sent: Sent) -> LedgerRow | None:
        """The row of a transaction's first action, where it is on the chain."""
        action = unpacked_transaction(bytes.fromhex(sent.packed)).actions[0]
        fields = Unpacker(bytes.fromhex(action.data))
        said = (fields.name(), fields.name(), fields.string(), fields.float64s())
        digests = (None, None) if self._published else (fields.checksum256(), fields.checksum256())
        for row in self._chain.rows.of_testid(action_of(action.name), said[1]):
            if (row.account, row.testid, row.description, row.results, row.run_digest, row.config_digest) == (
                *said,
                *digests,
            ):
                return row
        return None

    def _is_gone(self, sent: Sent, info: ChainInfo) -> bool:
        """Whether no block can take it any more; asked after its rows were looked for, and not found.

        Asked twice, for where another node has answered meanwhile it may be behind.
        """
        if sent.expires_at >= self._irreversible_time(info):
            return False
        return sent.expires_at < self._irreversible_time(self._chain.rpc.info())

    def _irreversible_time(self, info: ChainInfo) -> datetime:
        return self._chain.rpc.block_info(info.last_irreversible_block_num).timestamp

    def _is_mine(self, sent: Sent) -> bool:
        return sent.contract == self._chain.contract and self._account in (None, sent.creator)


def _receipt(entry: Entry, sent: Sent, taken: PushReceipt | FoundBlock, *, place: int | None = None) -> Receipt:
    where = ChainPlace(
        chain_id=sent.chain_id,
        contract=sent.contract,
        creator=sent.creator,
        transaction_id=sent.id,
        packed_transaction=sent.packed,
        signatures=sent.signatures,
        action_index=sent.identities.index(entry.identity) if place is None else place,
        block_number=taken.block_number,
    )
    return Receipt(entry=entry, recorded_at=taken.block_time or sent.expires_at, place=where)


def _key_of(entry: Entry, *, published: bool) -> object:
    """What makes a row the row of an entry."""
    digests = (None, None) if published else (entry.run_digest, entry.config_digest)
    return (entry.action, entry.testid, entry.description, entry.results, *digests)


def _key_of_row(row: LedgerRow) -> object:
    return (row.action, row.testid, row.description, row.results, row.run_digest, row.config_digest)
