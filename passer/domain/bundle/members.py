"""What the members of a bundle hold beside the records: the table of scores, and what the ledger has of the run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import UTC
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field

from passer.domain.base import Count, Frozen, canonical_json
from passer.domain.canonical import count_token, number_token, text_token
from passer.domain.ledger.entry import AccountName, ChainPlace, Digest, Entry, LocalPlace, Receipt
from passer.domain.question_record import csv_cell
from passer.domain.score import VECTOR_ORDER

NOT_RECORDED: Literal["not recorded"] = "not recorded"
Seal = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
"""First 16 hex digits of the SHA-256 of a value's canonical JSON: finds and names a change, proves nothing."""
Hex = Annotated[str, Field(pattern=r"^([0-9a-f]{2})+$")]
"""Bytes."""
Moment = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$")]
"""UTC, as text: what was hashed."""

SCORES_HEADER = ",".join(("number", "id", "leaf", "state", *VECTOR_ORDER)).encode("ascii") + b"\r\n"
"""First row of scores.csv."""


def scores_row(
    *, number: int, question_id: str, leaf: str, state: str, tokens: Sequence[str]
) -> bytes:  # fmt: skip
    """One row of scores.csv; `tokens` are the 24 numbers as RFC 8785 writes them, empty for None."""
    return ",".join((str(number), csv_cell(question_id), leaf, state, *tokens)).encode("utf-8") + b"\r\n"


def id_of_scores_row(row: bytes) -> str | None:
    """The question's id as it stands in a row of scores.csv; None where it cannot be read."""
    found = re.match(rb'\d*,(?:"((?:[^"]|"")*)"|([^,"\r\n]*)),', row)
    if found is None:
        return None
    quoted = found[1].replace(b'""', b'"') if found[1] is not None else found[2]
    text = quoted.decode("utf-8", "replace")
    return text[1:] if re.match(r"'[=+\-@\t\r]", text) else text


class LocalEntryPlace(LocalPlace):
    """Where in a local ledger."""

    kind: Literal["local"] = "local"
    """`local`"""

    @property
    def json_text(self) -> str:
        """Its canonical JSON."""
        digests = f'"digest":"{self.digest}","kind":"local","previous":"{self.previous}"'
        return f'{{{digests},"sequence":{count_token(self.sequence)}}}'


class ChainEntryPlace(Frozen):
    """Where on a chain."""

    kind: Literal["chain"] = "chain"
    """`chain`"""
    transaction: Count
    """Place among the document's transactions, from 0."""
    action_index: Count
    """Place among the transaction's actions, from 0."""

    @property
    def json_text(self) -> str:
        """Its canonical JSON."""
        places = f'"action_index":{count_token(self.action_index)},"kind":"chain"'
        return f'{{{places},"transaction":{count_token(self.transaction)}}}'


def entry_json(entry: Entry) -> str:
    """Canonical JSON of an entry."""
    results = ",".join(map(number_token, entry.results))
    return (
        f'{{"action":"{entry.action}","config_digest":"{entry.config_digest}",'
        f'"description":{text_token(entry.description)},"results":[{results}],"run_digest":"{entry.run_digest}",'
        f'"testid":"{entry.testid}"}}'
    )


class ReceiptSeals(Frozen):
    """Seals of what no digest covers."""

    place: Seal
    """Of the place."""
    recorded_at: Seal
    """Of the time."""


class EntryReceipt(Frozen):
    """A receipt as it stands in entry.json."""

    entry: Entry
    """What was recorded."""
    place: Annotated[LocalEntryPlace | ChainEntryPlace, Field(discriminator="kind")]
    """Where."""
    recorded_at: Moment
    """When."""
    seals: ReceiptSeals
    """Of the last two."""

    @cached_property
    def entry_text(self) -> str:
        """Canonical JSON of the entry."""
        return entry_json(self.entry)

    @property
    def json_text(self) -> str:
        """Its canonical JSON."""
        return (
            f'{{"entry":{self.entry_text},"place":{self.place.json_text},"recorded_at":"{self.recorded_at}",'
            f'"seals":{{"place":"{self.seals.place}","recorded_at":"{self.seals.recorded_at}"}}}}'
        )


class Transaction(Frozen):
    """A transaction that holds entries."""

    chain_id: Digest
    """Which chain."""
    contract: AccountName
    """Account that holds the contract."""
    creator: AccountName
    """Account that signed."""
    transaction_id: Digest
    """SHA-256 of its packed bytes."""
    packed_transaction: Hex
    """Its bytes."""
    signatures: tuple[str, ...]
    """As posted."""
    block_number: Count | None
    """Block that holds it."""
    block_id: Digest | None
    """Its id."""
    seals: dict[str, Seal]
    """Of every other member."""


class DocumentSeals(Frozen):
    """Seals of the document's own members."""

    manifest: Seal
    """Of `manifest`."""


class EntryDocument(Frozen):
    """entry.json: what a ledger holds of a run."""

    manifest: dict[str, Seal]
    """Seals of the manifest's members, by name."""
    run: EntryReceipt | Literal["not recorded"]
    """The run's row."""
    questions: tuple[EntryReceipt, ...] | Literal["not recorded"]
    """One row for each question, in order."""
    run_times: EntryReceipt | Literal["not recorded"]
    """The run's row of times."""
    question_times: tuple[EntryReceipt, ...] | Literal["not recorded"]
    """One row of times for each question, in order."""
    transactions: tuple[Transaction, ...]
    """In order of first use."""
    seals: DocumentSeals
    """Of `manifest`."""

    @property
    def canonical(self) -> bytes:
        """Its canonical JSON: ten thousand receipts in a tenth of a second."""
        parts = {
            "manifest": canonical_json(self.manifest).decode(),
            "question_times": _receipts(self.question_times),
            "questions": _receipts(self.questions),
            "run": _receipts(self.run),
            "run_times": _receipts(self.run_times),
            "seals": canonical_json(self.seals.model_dump()).decode(),
            "transactions": canonical_json([one.model_dump() for one in self.transactions]).decode(),
        }
        return ("{" + ",".join(f'"{name}":{text}' for name, text in parts.items()) + "}").encode()


def _receipts(held: EntryReceipt | tuple[EntryReceipt, ...] | str) -> str:
    if isinstance(held, str):
        return text_token(held)
    return held.json_text if isinstance(held, EntryReceipt) else f"[{','.join([one.json_text for one in held])}]"


def seal_of(canonical: bytes) -> str:
    """The seal of a value's canonical JSON."""
    return hashlib.sha256(canonical).hexdigest()[:16]


@lru_cache(maxsize=1000)
def seal_of_moment(moment: str) -> str:
    """The seal of a time; the rows of a transaction share it."""
    return seal_of(canonical_json(moment))


def seals_of(values: Mapping[str, Any]) -> dict[str, str]:
    """The seal of each member."""
    return {name: seal_of(canonical_json(value)) for name, value in values.items()}


class EntryDocumentMaker:
    """Lays receipts out as entry.json has them, each transaction once."""

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
    ) -> EntryDocument:
        """The document; `manifest` is manifest.json as JSON has it."""
        seals = seals_of(manifest)
        return EntryDocument(
            manifest=seals,
            run=self._one(run),
            questions=self._many(questions),
            run_times=self._one(run_times),
            question_times=self._many(question_times),
            transactions=tuple(self._transactions.values()),
            seals=DocumentSeals(manifest=seal_of(canonical_json(seals))),
        )

    def _one(self, receipt: Receipt | None) -> EntryReceipt | Literal["not recorded"]:
        return NOT_RECORDED if receipt is None else self._receipt(receipt)

    def _many(self, receipts: Sequence[Receipt] | None) -> tuple[EntryReceipt, ...] | Literal["not recorded"]:
        return NOT_RECORDED if receipts is None else tuple(map(self._receipt, receipts))

    def _receipt(self, receipt: Receipt) -> EntryReceipt:
        at = receipt.recorded_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
        place = self._place(receipt.place)
        seals = {"place": seal_of(place.json_text.encode()), "recorded_at": seal_of_moment(at)}
        return EntryReceipt(entry=receipt.entry, place=place, recorded_at=at, seals=ReceiptSeals(**seals))

    def _place(self, place: ChainPlace | LocalPlace) -> LocalEntryPlace | ChainEntryPlace:
        if isinstance(place, LocalPlace):
            return LocalEntryPlace(**place.model_dump())
        values = place.model_dump(mode="json", exclude={"action_index"})
        if place.transaction_id not in self._transactions:
            self._transactions[place.transaction_id] = Transaction(**values, seals=seals_of(values))
            self._numbers[place.transaction_id] = len(self._numbers)
        return ChainEntryPlace(transaction=self._numbers[place.transaction_id], action_index=place.action_index)
