"""Action data and rows of the contract, packed and unpacked with `struct` alone: not with the client under test."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from passer.domain.ledger.chain import ChainAction, PermissionLevel
from tests.chain.wheel import ROOT

FOLDER = ROOT / "contracts" / "llmtest"
PUBLISHED = Path(__file__).parent / "published"
TABLES = (("addtest", "testtable"), ("addtimetest", "timetable"))
"""Each action with its table."""
RUN_DIGEST = bytes(range(32))
CONFIG_DIGEST = bytes(range(32, 64))


def name(text: str) -> bytes:
    """A name of up to twelve letters: five bits each, from the top."""
    value = 0
    for place, letter in enumerate(text):
        value |= ".12345abcdefghijklmnopqrstuvwxyz".index(letter) << 59 - 5 * place
    return value.to_bytes(8, "little")


def length(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    return bytes((value,)) if value < 0x80 else bytes((value & 0x7F | 0x80,)) + length(value >> 7)


@dataclass(frozen=True)
class Row:
    """The content of a row, besides its id and time."""

    user: str = "researcher1"
    testid: str = "run1"
    description: bytes = b"run one, question one"
    results: tuple[float, ...] = (0.5, 1.0)
    run_digest: bytes = RUN_DIGEST
    config_digest: bytes = CONFIG_DIGEST

    def but(self, **fields: object) -> Row:
        return replace(self, **fields)  # type: ignore[arg-type]

    @property
    def published_data(self) -> bytes:
        """Data of the published four-field actions."""
        text = length(len(self.description)) + self.description
        numbers = length(len(self.results)) + struct.pack(f"<{len(self.results)}d", *self.results)
        return name(self.user) + name(self.testid) + text + numbers

    @property
    def data(self) -> bytes:
        """Data of addtest and addtimetest."""
        return self.published_data + self.run_digest + self.config_digest


@dataclass(frozen=True)
class StoredRow:
    """A row as it lies in the chain's memory."""

    id: int
    user: bytes
    testid: bytes
    created_at: int
    """Seconds since 1970."""
    row: Row


def stored(data: bytes, *, digests: bool = True) -> StoredRow:
    """Unpack a row: id, userid, testid, created_at, results, description, and two digests."""
    number, user, testid, created_at = struct.unpack_from("<Q8s8sI", data)
    count, at = _length(data, 28)
    results = struct.unpack_from(f"<{count}d", data, at)
    size, at = _length(data, at + 8 * count)
    description, rest = data[at : at + size], data[at + size :]
    assert len(rest) == (64 if digests else 0)
    said = Row(_letters(user), _letters(testid), description, results, rest[:32], rest[32:])
    return StoredRow(number, user, testid, created_at, said)


def action(said: str, data: bytes, *, by: Sequence[str] = ("researcher1",), code: str = "llmtest") -> ChainAction:
    """An action with any name and data."""
    levels = tuple(PermissionLevel(actor=account) for account in by)
    return ChainAction(account=code, name=said, authorization=levels, data=data.hex())


def _length(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return value, at


def _letters(data: bytes) -> str:
    value = int.from_bytes(data, "little")
    return "".join(".12345abcdefghijklmnopqrstuvwxyz"[value >> 59 - 5 * place & 31] for place in range(12)).rstrip(".")
