"""Whether entry.json holds by itself: seals, places, digests of local rows, bytes of transactions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passer.domain.base import canonical_json
from passer.domain.bundle.documents import Wrong
from passer.domain.bundle.members import (
    NOT_RECORDED,
    ChainEntryPlace,
    EntryDocument,
    EntryReceipt,
    LocalEntryPlace,
    Transaction,
    seal_of,
    seal_of_moment,
    seals_of,
)
from passer.domain.ledger.antelope.entries import action_entry
from passer.domain.ledger.antelope.transaction import ChainTransaction
from passer.domain.ledger.entry import Entry
from passer.errors import InputError

ROWS = ("run", "questions", "run_times", "question_times")
"""Members of entry.json that hold receipts, in order."""
UNSEALED = "It does not have its seal: it, or the seal, was changed."
_BLOCK_NUMBER_DIGITS = 8


@dataclass(frozen=True)
class Placed:
    """A receipt with the path at which it stands in entry.json."""

    path: str
    receipt: EntryReceipt
    number: int | None
    """Number of the question; None of the run's rows."""


def placed_of(document: EntryDocument) -> tuple[Placed, ...]:
    """All receipts of a document."""
    found: list[Placed] = []
    for name in ROWS:
        held = getattr(document, name)
        if isinstance(held, EntryReceipt):
            found.append(Placed(name, held, None))
        elif held != NOT_RECORDED:
            found += [Placed(f"{name}[{number}]", receipt, number) for number, receipt in enumerate(held)]
    return tuple(found)


def unsealed(document: EntryDocument, placed: Sequence[Placed]) -> Iterator[Wrong]:
    """Every member that does not have its seal."""
    if seal_of(canonical_json(document.manifest)) != document.seals.manifest:
        yield Wrong(UNSEALED, field="manifest")
    for item in placed:
        receipt = item.receipt
        if receipt.seals.place != seal_of(receipt.place.json_text.encode()):
            yield Wrong(UNSEALED, field=f"{item.path}.place", number=item.number)
        if receipt.seals.recorded_at != seal_of_moment(receipt.recorded_at):
            yield Wrong(UNSEALED, field=f"{item.path}.recorded_at", number=item.number)
    for number, transaction in enumerate(document.transactions):
        seals = seals_of(transaction.model_dump(mode="json", exclude={"seals"}))
        for part in sorted(seals.keys() | transaction.seals.keys()):
            if seals.get(part) != transaction.seals.get(part):
                yield Wrong(UNSEALED, field=f"transactions[{number}].{part}")


def misplaced(document: EntryDocument, placed: Sequence[Placed], *, questions: int) -> Wrong | None:
    """Rows that are too many, too few, or in a place that another has."""
    if placed and document.run == NOT_RECORDED:
        return Wrong("There are rows, but none of the run itself.", field="run")
    for name in ("questions", "question_times"):
        held = getattr(document, name)
        if held != NOT_RECORDED and len(held) != questions:
            return Wrong(f"It has {len(held)} rows for {questions} questions.", field=name)
    order, places = 0, set[tuple[int, ...]]()
    for item in placed:
        place = item.receipt.place
        key = (place.transaction, place.action_index) if isinstance(place, ChainEntryPlace) else (place.sequence,)
        if key in places:
            return Wrong("Another entry has the same place.", field=f"{item.path}.place", number=item.number)
        places.add(key)
        if isinstance(place, ChainEntryPlace):
            if place.transaction > order or place.transaction >= len(document.transactions):
                detail = "The transaction that it names is not the next one."
                return Wrong(detail, field=f"{item.path}.place.transaction", number=item.number)
            order = max(order, place.transaction + 1)
    if order != len(document.transactions):
        return Wrong("A transaction holds none of the entries.", field=f"transactions[{order}]")
    return None


def local_digest(receipt: EntryReceipt, place: LocalEntryPlace) -> str:
    """What the digest of a local row has to be: of its canonical JSON, whose keys stand here in order."""
    tail = f'"previous":"{place.previous}","recorded_at":"{receipt.recorded_at}","sequence":{place.sequence}'
    return hashlib.sha256(f'{{"entry":{receipt.entry_text},{tail}}}'.encode()).hexdigest()


def transaction_wrong(transaction: Transaction) -> Wrong | None:
    """What does not fit together in a transaction."""
    packed = bytes.fromhex(transaction.packed_transaction)
    if hashlib.sha256(packed).hexdigest() != transaction.transaction_id:
        return Wrong("The transaction's id is not the SHA-256 of its bytes.", field="transaction_id")
    if (transaction.block_id is None) != (transaction.block_number is None):
        return Wrong("A block has both a number and an id.", field="block_id")
    if (
        transaction.block_id is not None
        and int(transaction.block_id[:_BLOCK_NUMBER_DIGITS], 16) != transaction.block_number
    ):
        return Wrong("The block's id does not begin with its number.", field="block_id")
    return None


def action_wrong(entry: Entry, place: ChainEntryPlace, stated: Transaction, real: ChainTransaction) -> str | None:
    """Why the action at that place is not the entry."""
    if place.action_index >= len(real.actions):
        return f"The transaction has only {len(real.actions)} actions."
    action = real.actions[place.action_index]
    try:
        recorded, creator = action_entry(action)
    except InputError as exc:
        return exc.message
    if (action.account, creator) != (stated.contract, stated.creator):
        return f"The action is {creator}'s, for {action.account}, not {stated.creator}'s, for {stated.contract}."
    other = other_field(recorded, entry)
    return f"The action's {other} is not the entry's." if other else None


def other_field(entry: Entry, expected: Entry) -> str | None:
    """Name of the first field that differs."""
    if entry == expected:
        return None
    return next(name for name in Entry.model_fields if getattr(entry, name) != getattr(expected, name))
