"""Models of entry.json, and the rows of scores.csv."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from passer.domain.base import Count, Frozen, added_field, canonical_json, digest_of
from passer.domain.bundle.question_record import csv_cell, vector
from passer.domain.ledger.entry import AccountName, ChainPlace, Digest, Entry, LocalPlace, Receipt
from passer.domain.score import VECTOR_ORDER

NOT_RECORDED: Literal["not recorded"] = "not recorded"
_SEAL_DIGITS = 16
Seal = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
"""First 16 hex digits of the SHA-256 of a value's canonical JSON: names a change, proves nothing."""
Hex = Annotated[str, Field(pattern=r"^([0-9a-f]{2})+$")]
"""Bytes in hex."""


def _real_moment(text: str) -> str:
    if moment_text(datetime.fromisoformat(text)) != text:  # ValueError for the 30th of February
        raise ValueError("a time has six digits after the point, or none and no point")
    return text


def moment_text(at: datetime) -> str:
    """Return a time as entry.json states it: UTC, whole seconds or microseconds."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


_MOMENT = r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{6})?Z$"
Moment = Annotated[str, Field(pattern=_MOMENT), AfterValidator(_real_moment)]
"""UTC as text, because the text is hashed."""

SCORES_HEADER = ",".join(("number", "id", "leaf", "state", *VECTOR_ORDER)).encode("ascii") + b"\r\n"
"""First row of scores.csv."""


def scores_row(
    *, number: int, question_id: str, leaf: str, state: str, scores: dict[str, float | None] | None
) -> bytes:
    """Return one row of scores.csv: numbers as RFC 8785 writes them, empty for None."""
    # Numbers as RFC 8785 writes them: a shorter or longer spelling of a double would be another file with the same
    # values.
    tokens = canonical_json(vector(scores))[1:-1].replace(b"null", b"")
    return f"{number},{csv_cell(question_id)},{leaf},{state},".encode() + tokens + b"\r\n"


class LocalEntryPlace(LocalPlace):
    """Place of a receipt in a local ledger."""

    kind: Literal["local"] = "local"
    """`local`"""


class ChainEntryPlace(Frozen):
    """Place of a receipt on a chain."""

    kind: Literal["chain"] = "chain"
    """`chain`"""
    transaction: Count
    """Index in the document's transactions, from 0."""
    action_index: Count
    """Index in the transaction's actions, from 0."""


class ReceiptSeals(Frozen):
    """Seals of values that no digest covers."""

    place: Seal
    """Seal of the place."""
    recorded_at: Seal
    """Seal of the time."""


class EntryReceipt(Frozen):
    """A receipt in entry.json."""

    entry: Entry
    """The recorded entry."""
    place: Annotated[LocalEntryPlace | ChainEntryPlace, Field(discriminator="kind")]
    """Its place in the ledger."""
    recorded_at: Moment
    """Time of the record."""
    seals: ReceiptSeals
    """Seals of place and time."""


class Transaction(Frozen):
    """A transaction that records entries."""

    chain_id: Digest
    """Id of the chain."""
    contract: AccountName
    """Account of the contract."""
    creator: AccountName
    """The signing account."""
    transaction_id: Digest
    """SHA-256 of the packed bytes."""
    packed_transaction: Hex
    """Packed bytes."""
    signatures: tuple[str, ...]
    """Signatures as posted."""
    block_number: Count | None
    """Number of its block."""
    block_id: Digest | None
    """Id of its block."""
    seals: dict[str, Seal]
    """Seals of all other members."""


class DocumentSeals(Frozen):
    """Seals of the document's own members."""

    manifest: Seal
    """Seal of `manifest`."""


class EntryDocument(Frozen):
    """entry.json: the ledger's receipts of a run."""

    manifest: dict[str, Seal]
    """Seals of the manifest's members, by name."""
    run: EntryReceipt | Literal["not recorded"]
    """Receipt of the run's row."""
    questions: tuple[EntryReceipt, ...] | Literal["not recorded"]
    """One receipt per question, in order."""
    run_times: EntryReceipt | Literal["not recorded"]
    """Receipt of the run's row of times."""
    question_times: tuple[EntryReceipt, ...] | Literal["not recorded"]
    """One receipt of times per question, in order."""
    registration: EntryReceipt | None = added_field(None)
    """Receipt of a registered plan; in studies alone."""
    proofs: dict[str, Digest] | None = added_field(None)
    """SHA-256 of each member with a proof or a time stamp, by name; left out where the file has none."""
    transactions: tuple[Transaction, ...]
    """Transactions in order of first use."""
    seals: DocumentSeals
    """Seal of `manifest`."""


def seal_of(value: Any) -> str:
    """Return the seal of a JSON value or model."""
    return digest_of(value)[:_SEAL_DIGITS]


def sealed(written: bytes) -> str:
    """Return the seal of a value whose canonical JSON is `written`."""
    return sha256(written).hexdigest()[:_SEAL_DIGITS]


def seals_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the seal of each member."""
    return {name: seal_of(value) for name, value in values.items()}


class EntryDocumentMaker:
    """Builds entry.json from receipts, with each transaction once."""

    def __init__(self) -> None:
        self._transactions: dict[str, Transaction] = {}
        self._numbers: dict[str, int] = {}

    def document(
        self,
        manifest: Mapping[str, Any],
        *,
        run: Receipt | None,
        questions: Sequence[Receipt] | None,
        run_times: Receipt | None = None,
        question_times: Sequence[Receipt] | None = None,
        registration: Receipt | None = None,
        proofs: Mapping[str, bytes] | None = None,
    ) -> EntryDocument:
        """Return the document; `manifest` is manifest.json as JSON, `proofs` the members with proofs."""
        seals = seals_of(manifest)
        return EntryDocument(
            manifest=seals,
            run=self._one(run),
            questions=self._many(questions),
            run_times=self._one(run_times),
            question_times=self._many(question_times),
            registration=None if registration is None else self._receipt(registration),
            proofs={name: sha256(content).hexdigest() for name, content in proofs.items()} if proofs else None,
            transactions=tuple(self._transactions.values()),
            seals=DocumentSeals(manifest=seal_of(seals)),
        )

    def _one(self, receipt: Receipt | None) -> EntryReceipt | Literal["not recorded"]:
        return NOT_RECORDED if receipt is None else self._receipt(receipt)

    def _many(self, receipts: Sequence[Receipt] | None) -> tuple[EntryReceipt, ...] | Literal["not recorded"]:
        return NOT_RECORDED if receipts is None else tuple(map(self._receipt, receipts))

    def _receipt(self, receipt: Receipt) -> EntryReceipt:
        at = moment_text(receipt.recorded_at)
        place = self._place(receipt.place)
        seals = {"place": seal_of(place), "recorded_at": seal_of(at)}
        return EntryReceipt(entry=receipt.entry, place=place, recorded_at=at, seals=ReceiptSeals(**seals))

    def _place(self, place: ChainPlace | LocalPlace) -> LocalEntryPlace | ChainEntryPlace:
        if isinstance(place, LocalPlace):
            return LocalEntryPlace(**place.model_dump())
        values = place.model_dump(mode="json", exclude={"action_index"})
        if place.block_id is None:
            # A block that is not irreversible yet may be replaced by another: its number says nothing.
            values["block_number"] = None
        if place.transaction_id not in self._transactions:
            self._transactions[place.transaction_id] = Transaction(**values, seals=seals_of(values))
            self._numbers[place.transaction_id] = len(self._numbers)
        return ChainEntryPlace(transaction=self._numbers[place.transaction_id], action_index=place.action_index)
