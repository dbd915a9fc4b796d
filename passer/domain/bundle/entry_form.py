"""Checks of entry.json alone: seals, places, digests of local rows, transactions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from passer.domain.bundle.documents import ReadMember, Violation
from passer.domain.bundle.members import (
    NOT_RECORDED,
    ChainEntryPlace,
    EntryDocument,
    EntryReceipt,
    Transaction,
    moment_text,
    seal_of,
    sealed,
    seals_of,
)
from passer.domain.ledger.chain import RecordedAction
from passer.domain.ledger.entry import LEGACY_DIGEST, Entry
from passer.domain.wording.counted import counted

REGISTRATION = "registration"
ROWS = ("run", "questions", "run_times", "question_times", REGISTRATION)
"""Members of entry.json that contain receipts, in order."""
UNSEALED = "It does not match its seal: the value or the seal was changed."
LONGEST_LIFETIME = timedelta(hours=1)
"""Longest time before its expiry at which a block may include a transaction."""
_BLOCK_NUMBER_DIGITS = 8
_ENTRY = b'{"action":'
_BEGIN = b'{"entry":' + _ENTRY
"""How a receipt begins in canonical JSON."""


@dataclass(frozen=True)
class PlacedReceipt:
    """A receipt with its path in entry.json."""

    path: str
    receipt: EntryReceipt
    number: int | None
    """Number of the question; None for the run's rows."""
    entry: bytes
    """Canonical JSON of its entry."""
    place: bytes
    """Canonical JSON of its place."""


def receipts_of(read: ReadMember[EntryDocument]) -> tuple[PlacedReceipt, ...]:
    """Return all receipts of entry.json; none where it cannot be read."""
    if read.value is None:
        return ()
    # Nothing else begins so, for quotes within a text are escaped. What is read is canonical: no receipt has to be
    # written again to be hashed.
    written = iter(read.content.split(_BEGIN)[1:])
    held = {name: list(_placed(name, getattr(read.value, name), written)) for name in sorted(ROWS)}
    return tuple(item for name in ROWS for item in held[name])


def _placed(name: str, held: Any, written: Iterator[bytes]) -> Iterator[PlacedReceipt]:
    receipts = [held] if isinstance(held, EntryReceipt) else [] if held in (None, NOT_RECORDED) else held
    for number, receipt in enumerate(receipts):
        entry, _, rest = next(written).partition(b',"place":')
        place, _, _ = rest.partition(b',"recorded_at":')
        is_one = held is receipt
        path = name if is_one else f"{name}[{number}]"
        yield PlacedReceipt(path, receipt, None if is_one else number, _ENTRY + entry, place)


def unsealed(document: EntryDocument, placed: Sequence[PlacedReceipt]) -> Iterator[Violation]:
    """Yield each member whose seal does not match."""
    if seal_of(document.manifest) != document.seals.manifest:
        yield Violation(UNSEALED, field="manifest")
    for item in placed:
        receipt = item.receipt
        if receipt.seals.place != sealed(item.place):
            yield Violation(UNSEALED, field=f"{item.path}.place", number=item.number)
        if receipt.seals.recorded_at != sealed(f'"{receipt.recorded_at}"'.encode()):
            yield Violation(UNSEALED, field=f"{item.path}.recorded_at", number=item.number)
    for number, transaction in enumerate(document.transactions):
        seals = seals_of(transaction.model_dump(mode="json", exclude={"seals"}))
        for part in sorted(seals.keys() | transaction.seals.keys()):
            if seals.get(part) != transaction.seals.get(part):
                yield Violation(UNSEALED, field=f"transactions[{number}].{part}")


def misplaced(document: EntryDocument, placed: Sequence[PlacedReceipt], *, questions: int) -> Violation | None:
    """Return the first problem with the number and the places of rows; None if there is none."""
    if any(item.path != REGISTRATION for item in placed) and document.run == NOT_RECORDED:
        return Violation("The row of the run is missing.", field="run")
    for name in ("questions", "question_times"):
        held = getattr(document, name)
        if held != NOT_RECORDED and len(held) != questions:
            return Violation(f"It has {counted(len(held), 'row')} for {counted(questions, 'question')}.", field=name)
    order, places = 0, set[tuple[int, ...]]()
    for item in placed:
        place = item.receipt.place
        key = (place.transaction, place.action_index) if isinstance(place, ChainEntryPlace) else (place.sequence,)
        # Two receipts at one place would let a single recorded row prove two different results.
        if key in places:
            return Violation("Another entry has the same position.", field=f"{item.path}.place", number=item.number)
        places.add(key)
        if isinstance(place, ChainEntryPlace):
            # First use in order makes the list of transactions unique: the same receipts can have one document only.
            if place.transaction > order or place.transaction >= len(document.transactions):
                detail = "It refers to a transaction out of order."
                return Violation(detail, field=f"{item.path}.place.transaction", number=item.number)
            order = max(order, place.transaction + 1)
    if order != len(document.transactions):
        return Violation("It contains none of the entries.", field=f"transactions[{order}]")
    return None


def transaction_wrong(transaction: Transaction) -> Violation | None:
    """Return the first contradiction in a transaction; None if there is none."""
    packed = bytes.fromhex(transaction.packed_transaction)
    if hashlib.sha256(packed).hexdigest() != transaction.transaction_id:
        return Violation("The transaction's id is not the SHA-256 of its bytes.", field="transaction_id")
    if transaction.block_id is not None and transaction.block_number is None:
        return Violation("The block has an id but no number.", field="block_id")
    if (
        transaction.block_id is not None
        # Block ids of Antelope begin with the number: an invented pair is found without asking a node.
        and int(transaction.block_id[:_BLOCK_NUMBER_DIGITS], 16) != transaction.block_number
    ):
        return Violation("The block's id does not begin with its number.", field="block_id")
    return None


def action_wrong(
    receipt: EntryReceipt, place: ChainEntryPlace, stated: Transaction, actions: Sequence[RecordedAction]
) -> Violation | None:
    """Return why the action at that place is not the receipt's entry, at a time that it can have; None if it is."""
    if place.action_index >= len(actions):
        return Violation(f"The transaction has only {len(actions)} actions.", field="place.action_index")
    action = actions[place.action_index]
    detail = _other_action(receipt.entry, stated, action)
    if detail is not None:
        return Violation(detail, field="place.action_index")
    if action.expires_at is not None:
        before = action.expires_at - datetime.fromisoformat(receipt.recorded_at)
        if not timedelta(0) <= before <= LONGEST_LIFETIME:
            detail = f"The time is not in the hour before the transaction expires ({moment_text(action.expires_at)})."
            return Violation(detail, field="recorded_at")
    return None


def _other_action(entry: Entry, stated: Transaction, action: RecordedAction) -> str | None:
    if action.entry is None and action.legacy is None:
        return "The action does not record an entry."
    if (action.contract, action.creator) != (stated.contract, stated.creator):
        return (
            f"The action is by {action.creator} for {action.contract}, not by {stated.creator} for {stated.contract}."
        )
    if action.entry is None:
        # The published contract has no field for the digest, so it is written behind the description.
        described = entry.description + LEGACY_DIGEST + entry.run_digest
        is_same = action.legacy == (entry.action, entry.testid, described, entry.results)
        return None if is_same else "The action of the published contract does not record the entry."
    other = other_field(action.entry, entry)
    return f"The action's {other} differs from the entry's." if other else None


def other_field(entry: Entry, expected: Entry) -> str | None:
    """Return the name of the first field that differs; None if the entries are equal."""
    if entry == expected:
        return None
    return next(name for name in Entry.model_fields if getattr(entry, name) != getattr(expected, name))
