"""Finds the block of a transaction: by the node's trace, or by the time of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from passer.antelope.client.rpc import Rpc
from passer.antelope.format.entries import entry_action, published_action
from passer.antelope.format.transactions import transaction_id, unpacked_transaction
from passer.domain.ledger.chain import ChainTransaction
from passer.domain.ledger.entry import Entry
from passer.errors import InputError, NotFoundError

# Producers of an Antelope blockchain make a block each half second.
BLOCKS_A_SECOND = 2
MOST_KEPT = 64
"""Number of cached blocks."""


@dataclass(frozen=True)
class FoundBlock:
    """A block that contains a transaction."""

    transaction_id: str
    block_number: int
    block_id: str
    block_time: datetime
    """UTC."""


@dataclass(frozen=True)
class FoundAction:
    """An action in a block, with its transaction."""

    block: FoundBlock
    packed: str
    """The transaction's bytes, in hex."""
    signatures: tuple[str, ...]
    expires_at: datetime
    """UTC."""
    action_index: int


@dataclass(frozen=True)
class _Block:
    number: int
    id: str
    time: datetime
    transactions: Mapping[str, tuple[str, tuple[str, ...]]]
    """Packed bytes, in hex, and signatures, by id."""

    def found(self, transaction_id: str) -> FoundBlock:
        return FoundBlock(transaction_id, self.number, self.id, self.time)

    @cached_property
    def actions(self) -> Mapping[tuple[str, str, str], FoundAction]:
        """Its actions by account, name and data, the first of equal ones: a block has those of a thousand entries."""
        actions: dict[tuple[str, str, str], FoundAction] = {}
        for key, (packed, signatures) in self.transactions.items():
            transaction = _unpacked(packed)
            for place, action in enumerate(transaction.actions if transaction else ()):
                if transaction is not None:
                    found = FoundAction(self.found(key), packed, signatures, transaction.expiration, place)
                    actions.setdefault((action.account, action.name, action.data), found)
        return actions


class Blocks:
    """Blocks of one chain."""

    def __init__(self, rpc: Rpc) -> None:
        self._rpc = rpc
        self._kept: dict[int, _Block] = {}
        """Irreversible ones, the last that were read."""

    def holding(
        self, transaction_id: str, *, number: int | None = None, at: datetime | None = None
    ) -> FoundBlock | None:
        """Find the block of a transaction near the expected `number` and time `at`."""
        for candidate in self._candidates(transaction_id, number, at):
            block = self._block(candidate)
            if block is not None and transaction_id in block.transactions:
                return block.found(transaction_id)
        return None

    def recording(self, entry: Entry, *, contract: str, account: str, at: datetime, legacy: bool) -> FoundAction | None:
        """Return the action that recorded an entry at a time."""
        make = published_action if legacy else entry_action
        wanted = make(entry, contract=contract, creator=account)
        for number in self._at(at):
            block = self._block(number)
            found = block.actions.get((wanted.account, wanted.name, wanted.data)) if block is not None else None
            if found is not None:
                return found
        return None

    def _candidates(self, transaction_id: str, number: int | None, at: datetime | None) -> Iterator[int]:
        if number is not None:
            yield number
        named = self._rpc.block_of(transaction_id)
        if named is not None and named != number:
            yield named
        elif at is not None:
            yield from self._at(at)

    def _at(self, moment: datetime) -> Iterator[int]:
        """Return the numbers of the blocks of that second."""
        second = moment.replace(microsecond=0)
        number = self._first_at(second)
        while number is not None:
            time = self._time(number)
            if time is None or time.replace(microsecond=0) != second:
                return
            yield number
            number += 1

    def _first_at(self, second: datetime) -> int | None:
        """Number of the first block that is not before that second."""
        info = self._rpc.info()
        low, high = 1, info.head_block_num
        behind = int((info.head_block_time - second).total_seconds() * BLOCKS_A_SECOND)
        # If no block was missed, the number follows from the time; otherwise bisection finds it.
        guess = max(low, high - behind)
        while low < high:
            time = self._time(guess)
            if time is None:
                return None
            if time < second:
                low = guess + 1
            else:
                high = guess
            step = int(abs((time - second).total_seconds()) * BLOCKS_A_SECOND)
            near = guess + step if time < second else guess - max(step, 1)
            guess = near if low <= near < high else (low + high) // 2
        return low

    def _time(self, number: int) -> datetime | None:
        try:
            return self._rpc.block_info(number).timestamp
        except NotFoundError:
            return None

    def _block(self, number: int) -> _Block | None:
        """A block; one that can still be undone is read again each time."""
        if number in self._kept:
            return self._kept[number]
        block = self._read(number)
        if block is not None and number <= self._rpc.info().last_irreversible_block_num:
            self._kept[number] = block
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return block

    def _read(self, number: int) -> _Block | None:
        try:
            body = self._rpc.transactions_of(number)
            if body is None:
                return None
            key = body.id or self._rpc.block_info(number).id
        except NotFoundError:
            return None
        # PaSSER never compresses transactions.
        packed = {one.packed: one.signatures for one in body.executed if one.compression == "none"}
        transactions = {transaction_id(bytes.fromhex(text)): (text, signed) for text, signed in packed.items()}
        return _Block(number, key, body.timestamp, transactions)


def _unpacked(packed: str) -> ChainTransaction | None:
    """A transaction; None for one of a kind that PaSSER never makes."""
    try:
        return unpacked_transaction(bytes.fromhex(packed))
    except (InputError, ValueError):
        return None
