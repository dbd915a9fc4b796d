"""What a ledger records: entries, and what it gave back for them."""

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
"""Longest vector of results that the contract takes."""
LONGEST_DESCRIPTION = 256
"""In bytes of UTF-8."""
MOST_ENTRIES_PER_TRANSACTION = 50
"""Entries that are posted together."""

_NAME_ALPHABET = "abcdefghijklmnopqrstuvwxyz12345"


def testid_of(run_id: str) -> str:
    """Twelve characters of the name alphabet that stand for a run: from the SHA-256 of its id, 59 bits."""
    number = int.from_bytes(hashlib.sha256(run_id.encode()).digest(), "big")
    letters = []
    for _ in range(12):
        number, place = divmod(number, len(_NAME_ALPHABET))
        letters.append(_NAME_ALPHABET[place])
    return "".join(letters)


class Entry(Frozen):
    """One record: what was measured, of which run, under which configuration."""

    action: Action
    """Which table it belongs to."""
    testid: AccountName
    """The run, as twelve characters."""
    description: str = Field(min_length=1)
    """Names the run and the question, never their texts."""
    results: tuple[float, ...] = Field(min_length=1, max_length=MOST_RESULTS)
    """Scores in vector order, or times; where a score is missing 0, and one more value says which are real."""
    run_digest: Digest
    """Of a question's row its leaf, of a run's row the manifest's digest."""
    config_digest: Digest
    """Of the run's configuration alone."""

    @classmethod
    def kept(cls, canonical: str) -> Entry:
        """An entry of its canonical JSON as it was kept, which is not written anew to be hashed."""
        entry = cls.model_validate_json(canonical)
        entry.__dict__["canonical"] = canonical.encode()
        return entry

    @cached_property
    def canonical(self) -> bytes:
        """Its canonical JSON."""
        return canonical_json(self.model_dump(mode="json"))

    @cached_property
    def identity(self) -> str:
        """SHA-256 of its canonical JSON: two entries with one identity are one entry."""
        return hashlib.sha256(self.canonical).hexdigest()

    @field_validator("description")
    @classmethod
    def _fits(cls, value: str) -> str:
        if len(value.encode()) > LONGEST_DESCRIPTION:
            raise ValueError(f"A description has at most {LONGEST_DESCRIPTION} bytes of UTF-8: shorten it.")
        return value


class ChainPlace(Frozen):
    """Where on an Antelope chain an entry stands, and everything that is needed to check it from there."""

    chain_id: Digest
    """Which chain."""
    contract: AccountName
    """Account that holds the contract."""
    creator: AccountName
    """Account that signed."""
    transaction_id: Digest
    """SHA-256 of the packed transaction."""
    packed_transaction: str
    """Its bytes, in hex."""
    signatures: tuple[str, ...]
    """As posted, `SIG_K1_...`."""
    action_index: Count
    """Which of the transaction's actions, from 0."""
    block_number: Count | None = None
    """Block that holds it; None until that is known."""
    block_id: Digest | None = None
    """Its id."""


class LocalPlace(Frozen):
    """Where in the local hash chain an entry stands."""

    sequence: Count
    """From 1, without gaps."""
    previous: Digest
    """Digest of the row before; 64 zeros for the first."""
    digest: Digest
    """SHA-256 of the row's canonical JSON: sequence, previous, recorded_at and entry."""


class Receipt(Frozen):
    """What a ledger gave back for an entry."""

    entry: Entry
    """What was recorded."""
    recorded_at: datetime
    """UTC: of the block, or of this machine's clock."""
    place: ChainPlace | LocalPlace
    """Where it stands."""


def vector_of(values: tuple[float | None, ...]) -> tuple[float, ...]:
    """Scores as results: where one is None 0, and then one more value, the sum of 2^i over the places i that are real.

    Readers must honour the last value: without it a missing score would read as 0.
    """
    if None not in values:
        return tuple(value for value in values if value is not None)
    real = sum(2.0**place for place, value in enumerate(values) if value is not None)
    return (*(0.0 if value is None else value for value in values), real)


def values_of(results: tuple[float, ...], *, count: int) -> tuple[float | None, ...]:
    """The scores of a vector again, `count` of them; the inverse of `vector_of`. ValueError for another length."""
    if len(results) == count:
        return results
    if len(results) != count + 1:
        raise ValueError(f"A vector of {count} scores has {count} or {count + 1} values, this one {len(results)}.")
    real = int(results[-1])
    return tuple(value if real >> place & 1 else None for place, value in enumerate(results[:-1]))
