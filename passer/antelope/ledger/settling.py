"""Follows posted transactions: irreversible, reversible or lost."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from passer.antelope.client.chain import AntelopeChain
from passer.antelope.client.replies import ChainInfo
from passer.antelope.format.packing import Unpacker
from passer.antelope.format.transactions import unpacked_transaction
from passer.antelope.ledger.blocks import Blocks
from passer.antelope.ledger.listing import action_of
from passer.errors import LedgerRefused, LedgerUnavailable
from passer.ports import LedgerRow, Sent


class Settling:
    """Settles the transactions on one contract."""

    def __init__(self, chain: AntelopeChain, blocks: Blocks, *, published: bool) -> None:
        self._chain, self._blocks, self._published = chain, blocks, published

    def settled(self, sent: Sent, info: ChainInfo) -> Sent:
        """A posted transaction as it is now."""
        # Until the block is irreversible, another one may replace it with other transactions.
        if sent.block_number is not None and sent.block_number > info.last_irreversible_block_num:
            return sent
        found = self._blocks.holding(sent.id, number=sent.block_number)
        if found is None:
            # Another block includes it than the node expected, or none does: look for its rows.
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

    def is_gone(self, sent: Sent, info: ChainInfo) -> bool:
        """Return whether no block can include the transaction any more; called after its rows were not found.

        Asked twice, for where another node has answered meanwhile it may be behind.
        """
        if sent.expires_at >= self._irreversible_time(info):
            return False
        return sent.expires_at < self._irreversible_time(self._chain.rpc.info())

    def _lost(self, sent: Sent, info: ChainInfo) -> Sent:
        """Handle a transaction without a block: push it again until its expiration is final, then give it up."""
        if self.is_gone(sent, info):
            return sent.model_copy(update={"state": "dropped"})
        # A refusal is not final before the expiration: the next round asks again.
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

    def _irreversible_time(self, info: ChainInfo) -> datetime:
        return self._chain.rpc.block_info(info.last_irreversible_block_num).timestamp
