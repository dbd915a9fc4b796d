"""Finds entries that are on the chain already, before anything is prepared, signed or pushed again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta

from passer.antelope.client.chain import AntelopeChain, PushReceipt
from passer.antelope.ledger.blocks import Blocks, FoundAction, FoundBlock
from passer.domain.ledger.entry import LEGACY_DIGEST, ChainPlace, Entry, Receipt
from passer.domain.wording.sentence import sentence
from passer.errors import LedgerRefused
from passer.ports import Journal, LedgerRow, Sent

NEXT_BLOCK = sentence("chain.next-block")
UNTIL_SHOWN = timedelta(seconds=2)
"""Longest time between the creation of a row and the appearance of its block."""


class Recorded:
    """Rows of entries, and the receipts that follow from them."""

    def __init__(self, chain: AntelopeChain, journal: Journal, blocks: Blocks, *, published: bool) -> None:
        self._chain, self._journal, self._blocks, self._published = chain, journal, blocks, published

    def rows(self, accounts: Mapping[str, Collection[str]], entries: Sequence[Entry]) -> dict[str, LedgerRow]:
        """Return rows of these entries by identity; `accounts`, also by identity, are the accepted creators."""
        rows: dict[object, LedgerRow] = {}
        entries = [entry for entry in entries if entry.identity in accounts]
        for action, testid in {(entry.action, entry.testid) for entry in entries}:
            found = self._chain.rows.of_testid(action, testid)
            rows.update({(row.account, key_of_row(row)): row for row in found})
        if not rows:
            return {}
        keys = {entry.identity: key_of(self.written(entry), published=self._published) for entry in entries}
        return {
            identity: rows[account, key]
            for identity, key in keys.items()
            for account in accounts[identity]
            if (account, key) in rows
        }

    def receipt(self, entry: Entry, row: LedgerRow, sent: Sent | None) -> Receipt:
        """The receipt of an entry that was found; `sent` is the transaction that should have brought it there."""
        found = self._blocks.holding(sent.id, at=row.recorded_at) if sent is not None else None
        if found is not None and sent is not None:
            return receipt_of(entry, sent, found)
        action = self._blocks.recording(
            self.written(entry),
            contract=self._chain.contract,
            account=str(row.account),
            at=row.recorded_at,
            legacy=self._published,
        )
        if action is None and row.recorded_at + UNTIL_SHOWN > self._chain.rpc.info().head_block_time:
            raise LedgerRefused(NEXT_BLOCK)
        if action is None:
            raise LedgerRefused(sentence("chain.no-block", row=row.id))
        kept = self._kept(entry, action, account=str(row.account))
        return receipt_of(entry, kept, action.block, place=action.action_index)

    def written(self, entry: Entry) -> Entry:
        """Return an entry as the contract accepts it: the published one can hold the digest in the description only."""
        if not self._published:
            return entry
        return entry.model_copy(update={"description": entry.description + LEGACY_DIGEST + entry.run_digest})

    def _kept(self, entry: Entry, action: FoundAction, *, account: str) -> Sent:
        """Return the journal's transaction as contained in the block, also if a wallet sent it."""
        taken = {
            "signatures": action.signatures,
            "state": "posted",
            "block_number": action.block.block_number,
            "block_time": action.block.block_time,
        }
        known = self._journal.find(action.block.transaction_id)
        if known is not None:
            if known.state in ("prepared", "dropped"):
                known = known.model_copy(update=taken)
                self._journal.settled([known])
            return known
        made = Sent(
            id=action.block.transaction_id,
            chain_id=self._chain.rpc.info().chain_id,
            contract=self._chain.contract,
            creator=account,
            packed=action.packed,
            expires_at=action.expires_at,
            identities=(entry.identity,),
            **taken,
        )
        self._journal.keep([made])
        return made


def receipts_of(entries: Sequence[Entry], sent: Sent, taken: PushReceipt) -> Iterator[Receipt]:
    """The receipts of the entries of a transaction that the chain has just taken, one for each action."""
    first = receipt_of(entries[0], sent, taken, place=0)
    for number, entry in enumerate(entries):
        place = first.place.model_copy(update={"action_index": number})
        yield Receipt(entry=entry, recorded_at=first.recorded_at, place=place)


def receipt_of(entry: Entry, sent: Sent, taken: PushReceipt | FoundBlock, *, place: int | None = None) -> Receipt:
    """The receipt of an entry in a transaction that the chain has; `place` is its action's, where that is known."""
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


def key_of(entry: Entry, *, published: bool) -> object:
    """Return the key that identifies the row of an entry."""
    digests = (None, None) if published else (entry.run_digest, entry.config_digest)
    return (entry.action, entry.testid, entry.description, entry.results, *digests)


def key_of_row(row: LedgerRow) -> object:
    """Return the identity of the entry that a row records."""
    return (row.action, row.testid, row.description, row.results, row.run_digest, row.config_digest)
