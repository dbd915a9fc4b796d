"""Pushes transactions in order, while the next ones are signed and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

from passer.antelope.client.chain import AntelopeChain, PushReceipt, SignedTransaction
from passer.antelope.client.replies import ChainInfo
from passer.antelope.signing.keys import PrivateKey
from passer.domain.collector import shorten_switch_interval
from passer.domain.ledger.entry import MOST_ENTRIES_PER_TRANSACTION, Entry
from passer.errors import PasserError
from passer.ports import Journal, Sent

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
