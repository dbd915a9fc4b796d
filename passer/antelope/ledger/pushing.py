"""Pushes transactions in order, while the next ones are signed and saved, and follows those that were posted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import NamedTuple

from passer.antelope.client.chain import AntelopeChain, PushReceipt, SignedTransaction
from passer.antelope.client.replies import ChainInfo
from passer.antelope.format.packing import Unpacker
from passer.antelope.format.transactions import unpacked_transaction
from passer.antelope.ledger.blocks import Blocks
from passer.antelope.ledger.listing import action_of
from passer.antelope.signing.keys import PrivateKey
from passer.domain.collector import shorten_switch_interval
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION, Entry
from passer.errors import LedgerRefused, LedgerUnavailable, PasserError
from passer.ports import Journal, LedgerRow, Sent


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


INFO_S = 5.0
"""Seconds for which a state of the chain is reused for further transactions, whose lifetime begins at its time."""
AHEAD = 10 * MOST_ENTRIES_PER_TRANSACTION
"""Most entries signed ahead of the ones being pushed; each such part is three commits: journal, lease and outbox."""


@dataclass(frozen=True)
class Signer:
    """Signer of transactions, and the lifetime of each."""

    account: str
    permission: str
    key: PrivateKey
    lifetime_s: int


@dataclass(frozen=True)
class _Kept:
    """A transaction that may be pushed: it is in the journal."""

    signed: SignedTransaction
    entries: tuple[Entry, ...]
    sent: Sent


class TimedChainInfo(NamedTuple):
    """A state of the chain, and when it was read."""

    info: ChainInfo
    at: float

    @classmethod
    def now(cls, chain: AntelopeChain) -> TimedChainInfo:
        """Ask the node."""
        return cls(chain.rpc.info(), monotonic())


Pushed = tuple[tuple[Entry, ...], Sent, PushReceipt]
_Outcome = tuple[list[Pushed], PasserError | None]
"""Accepted entries, and the error that ended the push."""


def pushed_in_order(
    chain: AntelopeChain,
    journal: Journal,
    signer: Signer,
    entries: Sequence[Entry],
    written: Callable[[Entry], Entry],
    seen: TimedChainInfo,
) -> Iterator[Pushed]:
    """Push transactions in order and yield those that the chain accepts; stop with the error of the first refused one.

    `written` converts an entry to the form that the contract accepts.
    """
    parts = [entries[start : start + AHEAD] for start in range(0, len(entries), AHEAD)]
    if len(parts) == 1:
        # There is nothing to sign meanwhile, and starting a thread would take a fifth of the time of a single row.
        seen = _fresh(chain, seen)
        done, problem = _push(chain, _kept(chain, journal, signer, entries, seen.info, written))
        yield from done
        if problem is not None:
            raise problem
        return
    shorten_switch_interval()
    # One thread pushes, so that rows keep the order of their entries, while this one prepares and signs the next part.
    with ThreadPoolExecutor(1, thread_name_prefix="pushing") as pool:
        under_way: Future[_Outcome] | None = None
        for part in parts:
            # Ask for the chain's state only when it is old: the node would answer after the push in progress.
            seen = _fresh(chain, seen)
            kept = _kept(chain, journal, signer, part, seen.info, written)
            done, problem = ([], None) if under_way is None else under_way.result()
            # Submit the next part before yielding this one, so that the node does not wait for the caller.
            under_way = pool.submit(_push, chain, kept) if problem is None else None
            yield from done
            if problem is not None:
                raise problem
        done, problem = ([], None) if under_way is None else under_way.result()
        yield from done
        if problem is not None:
            raise problem


def _fresh(chain: AntelopeChain, seen: TimedChainInfo) -> TimedChainInfo:
    return TimedChainInfo.now(chain) if monotonic() - seen.at > INFO_S else seen


def _kept(
    chain: AntelopeChain,
    journal: Journal,
    signer: Signer,
    entries: Sequence[Entry],
    info: ChainInfo,
    written: Callable[[Entry], Entry],
) -> list[_Kept]:
    prepared = chain.prepare_all(
        [written(entry) for entry in entries],
        signer.account,
        permission=signer.permission,
        lifetime_s=signer.lifetime_s,
        info=info,
    )
    left, kept = iter(entries), []
    for one in prepared:
        signed = chain.sign(one, signer.key)
        of_this = tuple(next(left) for _ in one.entries)
        kept.append(_Kept(signed, of_this, _sent(signed, of_this)))
    # Before any push: after a crash the next process finds them open, and looks for them on the chain.
    journal.keep([one.sent for one in kept])
    return kept


def _push(chain: AntelopeChain, kept: Sequence[_Kept]) -> _Outcome:
    """Return what the chain accepted, and the error that ended the push."""
    done: list[Pushed] = []
    for one in kept:
        try:
            done.append((one.entries, one.sent, chain.push(one.signed)))
        except PasserError as exc:
            # Stop here: entries keep their order, and the error belongs to the entry that caused it.
            return done, exc
    return done, None


def _sent(signed: SignedTransaction, entries: Sequence[Entry]) -> Sent:
    prepared = signed.prepared
    return Sent(
        id=prepared.id,
        chain_id=prepared.chain_id,
        contract=prepared.contract,
        creator=prepared.creator,
        packed=prepared.packed,
        signatures=signed.signatures,
        expires_at=prepared.expires_at,
        identities=tuple(entry.identity for entry in entries),
    )
