"""The one form of a bundle's zip: five stored members and no byte that does not follow from their contents."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import IO
from zipfile import ZipFile, ZipInfo

MEMBERS = ("manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl")
"""In the order in which they lie in the file."""
VERDICT = "verdict.json"
"""Sixth member, where the run's sweep had a verdict when the bundle was written."""
LARGEST = 2**31 - 1
"""Most bytes of a bundle: beyond this `zipfile` writes zip64."""

_LOCAL, _CENTRAL, _END = 30, 46, 22
"""Sizes of the zip's headers in bytes, without names."""
_CRC_AND_SIZES = struct.Struct("<3L")
_CRC_AT = 16
"""Offset of checksum, compressed size and size in a central header."""
_END_WITHIN = _END + 65_535

Buffer = bytes | memoryview


@dataclass(frozen=True)
class ReadZip:
    """The members of a zip and the first problem with the file around them."""

    members: Mapping[str, Buffer]
    """By name; empty where the directory's sizes do not add up to the file's size."""
    problem: str | None = None
    """One sentence; None for the exact form."""
    member: str | None = None
    """Name of the member whose checksum is wrong."""


def is_zip(data: Buffer) -> bool:
    """Return whether the bytes look like a zip, however broken."""
    return bytes(data[:4]) == b"PK\x03\x04" or b"PK\x05\x06" in bytes(data[-_END_WITHIN:])


def write_member(opened: ZipFile, name: str, blocks: Iterable[bytes]) -> None:
    """Append one member in the bundle's form: stored, dated 1980-01-01, a plain file with mode 0644."""
    info = ZipInfo(name)
    info.create_system, info.external_attr = 3, 0o100644 << 16
    with opened.open(info, "w") as member:
        for block in blocks:
            member.write(block)


def zip_writer(stream: IO[bytes]) -> ZipFile:
    """Return a ZipFile for `write_member`; a bundle never needs zip64."""
    return ZipFile(stream, "w", allowZip64=False)


def read_zip(data: Buffer) -> ReadZip:
    """Find the members by the sizes in the directory, whose own size is fixed.

    The contents are cut out of the file, not unpacked by `zipfile`: a member with a wrong checksum can still be
    checked record by record. That every other byte is right is seen by writing the zip again.
    """
    found = _members(data, MEMBERS) or _members(data, (*MEMBERS, VERDICT))
    if found is None:
        return ReadZip({}, "The zip is not as `passer bundle` writes it: its members do not fill the file.")
    members, stated = found
    wrong = next((name for name in members if zlib.crc32(members[name]) != stated[name]), None)
    if wrong is not None:
        return ReadZip(members, f"The checksum of {wrong} does not match its content.", wrong)
    if not _is_same(data, members):
        return ReadZip(members, "A header of the zip is not as `passer bundle` writes it.")
    return ReadZip(members)


def _members(data: Buffer, names: Sequence[str]) -> tuple[dict[str, Buffer], dict[str, int]] | None:
    """Return contents and stated checksums by name; None where members of these names do not fill the file."""
    start = len(data) - sum(_CENTRAL + len(name) for name in names) - _END
    if start < 0:
        return None
    members, stated, offset, at = dict[str, Buffer](), dict[str, int](), 0, start + _CRC_AT
    for name in names:
        stated[name], _, size = _CRC_AND_SIZES.unpack_from(data, at)
        begin = offset + _LOCAL + len(name)
        offset, at = begin + size, at + _CENTRAL + len(name)
        members[name] = data[begin:offset]
    return (members, stated) if offset == start else None


def _is_same(data: Buffer, members: Mapping[str, Buffer]) -> bool:
    stream = BytesIO()
    with zip_writer(stream) as opened:
        for name, content in members.items():
            write_member(opened, name, [bytes(content)])
    return stream.getbuffer() == data
