"""Ledger entries and receipts."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, field_validator

from passer.domain.base import Count, Frozen, canonical_json

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 in lower-case hex."""
AccountName = Annotated[str, Field(pattern=r"^[a-z1-5]([a-z1-5.]{0,10}[a-z1-5])?$")]
"""An Antelope account: up to twelve of a-z, 1-5 and inner dots."""
Action = Literal["addtest", "addtimetest"]
"""`addtest` records scores, `addtimetest` times."""

MOST_RESULTS = 64
"""Longest vector of results that the contract accepts."""
LONGEST_DESCRIPTION = 256
"""Longest description in bytes of UTF-8."""
MOST_ENTRIES_PER_TRANSACTION = 50
"""Most entries in one transaction."""

LEGACY_DIGEST = " digest "
"""The published contract has no field for a digest: it follows this in the description."""

_NAME_ALPHABET = "abcdefghijklmnopqrstuvwxyz12345"


def testid_of(run_id: str) -> str:
    """Return the twelve characters of the name alphabet that identify a run: 59 bits of its id's SHA-256."""
    # The contract finds rows by this name, and a chain's names have twelve letters of this alphabet.
    number = int.from_bytes(hashlib.sha256(run_id.encode()).digest(), "big")
    letters = []
    for _ in range(12):
        number, place = divmod(number, len(_NAME_ALPHABET))
        letters.append(_NAME_ALPHABET[place])
    return "".join(letters)


class Entry(Frozen):
    """A ledger entry: results, the run, the configuration."""

    action: Action
    """Action, and so the contract's table."""
    testid: AccountName
    """The run's twelve-character id."""
    description: str = Field(min_length=1)
    """Ids of run and question, never texts."""
    results: tuple[float, ...] = Field(min_length=1, max_length=MOST_RESULTS)
    """Scores in vector order, or times; see `vector_of` for missing values."""
    run_digest: Digest
    """The leaf of a question, or the digest of the run's manifest."""
    config_digest: Digest
    """Digest of the run's configuration."""

    @classmethod
    def kept(cls, canonical: str) -> Entry:
        """Return the entry of stored canonical JSON; the text is reused for hashing."""
        # The stored text is what was hashed and posted. Writing the values again could only repeat it, at the cost of a
        # ledger's most frequent operation.
        entry = cls.model_validate_json(canonical)
        entry.__dict__["canonical"] = canonical.encode()
        return entry

    @cached_property
    def canonical(self) -> bytes:
        """Canonical JSON of the entry."""
        return canonical_json(self.model_dump(mode="json"))

    @cached_property
    def identity(self) -> str:
        """SHA-256 of the canonical JSON: entries with the same identity are the same entry."""
        return hashlib.sha256(self.canonical).hexdigest()

    @field_validator("description")
    @classmethod
    def _fits(cls, value: str) -> str:
        if len(value.encode()) > LONGEST_DESCRIPTION:
            raise ValueError(f"The description has more than {LONGEST_DESCRIPTION} bytes of UTF-8. Shorten it.")
        return value


class ChainPlace(Frozen):
    """Place of an entry on an Antelope chain, with the transaction that proves it."""

    chain_id: Digest
    """Id of the chain."""
    contract: AccountName
    """Account of the contract."""
    creator: AccountName
    """The signing account."""
    transaction_id: Digest
    """SHA-256 of the packed transaction."""
    packed_transaction: str
    """Packed bytes in hex."""
    signatures: tuple[str, ...]
    """Signatures as posted, `SIG_K1_...`."""
    action_index: Count
    """Index in the transaction's actions, from 0."""
    block_number: Count | None = None
    """Number of its block; None until it is known."""
    block_id: Digest | None = None
    """Id of its block."""


class LocalPlace(Frozen):
    """Place of an entry in the local hash chain."""

    sequence: Count
    """Row number, from 1 without gaps."""
    previous: Digest
    """Digest of the previous row; 64 zeros for the first."""
    digest: Digest
    """SHA-256 of the row's canonical JSON: sequence, previous, recorded_at and entry."""


class Receipt(Frozen):
    """A ledger's receipt for an entry."""

    entry: Entry
    """The recorded entry."""
    recorded_at: datetime
    """UTC: time of the block, or of this machine's clock."""
    place: ChainPlace | LocalPlace
    """Its place in the ledger."""


def row_digest(*, sequence: int, previous: str, recorded_at: str, entry: bytes) -> str:
    """Return the SHA-256 of a local row's canonical JSON; `entry` is canonical, and the keys are in canonical order."""
    rest = f',"previous":"{previous}","recorded_at":"{recorded_at}","sequence":{sequence}}}'
    return hashlib.sha256(b'{"entry":' + entry + rest.encode()).hexdigest()


def vector_of(values: tuple[float | None, ...]) -> tuple[float, ...]:
    """Return values as results: 0 for None, and then the sum of 2^i over the indexes i that are not None.

    Readers must honour the last value, otherwise a missing score reads as 0.
    """
    if None not in values:
        return tuple(value for value in values if value is not None)
    real = sum(2.0**place for place, value in enumerate(values) if value is not None)
    return (*(0.0 if value is None else value for value in values), real)
