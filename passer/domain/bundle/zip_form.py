"""The one form of a bundle's zip: stored members and no byte that does not follow from their names and contents."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO
from zipfile import ZipFile, ZipInfo

MEMBERS = ("manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl")
"""Members in the order in which they are in the file."""
VERDICT = "verdict.json"
"""Sixth member, where the run's sweep had a verdict when the bundle was written."""
KEY, PROOF, CHECKPOINT_STAMP, STAMP = "ledger.key", "ledger.tlog-proof", "checkpoint.tsr", "stamp.tsr"
PROOFS = (KEY, PROOF, CHECKPOINT_STAMP, STAMP)
"""Members that a ledger or a time stamp authority signed; each only where there was one."""
LARGEST = 2**31 - 1
"""Most bytes of a bundle: beyond this `zipfile` writes zip64."""

_LOCAL, _CENTRAL, _END = 30, 46, 22
"""Sizes of the zip's headers in bytes, without names."""
_END_MARK = b"PK\x05\x06"
_SHORT = struct.Struct("<H")
_FIXED = struct.Struct("<5H3L2H")
"""Fields of both headers: version, flags, method, time, date; checksum, sizes; lengths of name and extra field."""
_REST = struct.Struct("<3H2L")
"""Comment, disk, internal and external attributes, offset of the local header."""
_END_COUNTS = struct.Struct("<4H2LH")
_END_COUNT_SIZE_OFFSET = struct.Struct("<H2L")
_NAME_LENGTH_AT = 28
_LONGEST_NAME = 100
_CRC_AND_SIZES = struct.Struct("<3L")
_CRC_AT = 16
"""Offset of checksum, compressed size and size in a central header."""
_END_WITHIN = _END + 65_535

Buffer = bytes | memoryview


@dataclass(frozen=True)
class ReadZip:
    """The members of a zip and the first problem with the file around them."""

    members: Mapping[str, Buffer]
    """Members by name; empty where the directory's sizes do not add up to the file's size."""
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
    # ZipInfo takes the system from the machine that writes: on Windows the same run would have other bytes.
    info.create_system, info.external_attr = 3, 0o100644 << 16
    with opened.open(info, "w") as member:
        for block in blocks:
            member.write(block)


def zip_writer(stream: IO[bytes]) -> ZipFile:
    """Return a ZipFile for `write_member`; a bundle never needs zip64."""
    return ZipFile(stream, "w", allowZip64=False)


_PACKED_AGAIN = (
    "If another program packed the members again, this changes no result, but only the original file can be verified."
)
_OTHER_MEMBERS = (
    "The zip is not as PaSSER writes it: members are missing, added or changed in length, or the file is cut off. "
    + _PACKED_AGAIN
)
_OTHER_HEADER = f"A header of the zip is not as PaSSER writes it. {_PACKED_AGAIN}"


def read_zip(data: Buffer, *candidates: Sequence[str]) -> ReadZip:
    """Find the members by the sizes in the directory, whose own size follows from their names.

    `candidates` are lists of names, of which the first that fills the file counts; by default those of a run's bundle.
    The contents are cut out of the file, not unpacked by `zipfile`: a member with a wrong checksum can still be
    checked record by record. Every other byte is compared with the one that follows from names and contents.
    """
    known = candidates or (*_listed_bundle(data), MEMBERS, (*MEMBERS, VERDICT))
    found = next((found for names in known if (found := _members(data, names)) is not None), None)
    if found is None:
        return ReadZip({}, _OTHER_MEMBERS)
    members, stated = found
    wrong = next((name for name in members if zlib.crc32(members[name]) != stated[name]), None)
    if wrong is not None:
        return ReadZip(members, f"The checksum of {wrong} does not match its content.", wrong)
    if not _has_headers(data, members, stated):
        return ReadZip(members, _OTHER_HEADER)
    return ReadZip(members)


def listed_names(data: Buffer, *, most: int) -> tuple[str, ...] | None:
    """Return the names in the directory at the end of the file; None where there is no such directory.

    At most `most` names of at most 100 printable ASCII characters without spaces are read, whatever the file states.
    """
    end = len(data) - _END
    if end < 0 or bytes(data[end : end + 4]) != _END_MARK:
        return None
    count, size, offset = _END_COUNT_SIZE_OFFSET.unpack_from(data, end + 10)
    # The directory must end where the end record begins, so that no bytes can hide between the two.
    if count > most or offset + size != end:
        return None
    names, at = list[str](), offset
    for _ in range(count):
        if at + _CENTRAL > end:
            return None
        (length,) = _SHORT.unpack_from(data, at + _NAME_LENGTH_AT)
        name = bytes(data[at + _CENTRAL : at + _CENTRAL + length])
        at += _CENTRAL + length
        if at > end or not 0 < length <= _LONGEST_NAME or not all(0x21 <= mark <= 0x7E for mark in name):
            return None
        names.append(name.decode("ascii"))
    return tuple(names) if at == end and len(set(names)) == len(names) else None


def _listed_bundle(data: Buffer) -> list[tuple[str, ...]]:
    """Return the names in the directory if they are those of a run's bundle; else an empty result."""
    optional = (VERDICT, *PROOFS)
    names = listed_names(data, most=len(MEMBERS) + len(optional)) or ()
    return [names] if names == (*MEMBERS, *(name for name in optional if name in names)) else []


def _members(data: Buffer, names: Sequence[str]) -> tuple[dict[str, Buffer], dict[str, int]] | None:
    """Return contents and stated checksums by name; None where members of these names do not fill the file."""
    # Names are fixed, so the directory's size is known before it is read: nothing that the file states is trusted to
    # find it.
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


def _has_headers(data: Buffer, members: Mapping[str, Buffer], checksums: Mapping[str, int]) -> bool:
    """Compare every byte around the contents with docs/bundle.md, without a second copy of the file."""
    central, offset = list[bytes](), 0
    for name, content in members.items():
        size, ascii_name = len(content), name.encode("ascii")
        same = _FIXED.pack(20, 0, 0, 0, 0x21, checksums[name], size, size, len(ascii_name), 0)
        local = b"PK\x03\x04" + same + ascii_name
        if bytes(data[offset : offset + len(local)]) != local:
            return False
        central.append(b"PK\x01\x02\x14\x03" + same + _REST.pack(0, 0, 0, 0x81A40000, offset) + ascii_name)
        offset += len(local) + size
    directory, count = b"".join(central), len(members)
    end = _END_MARK + _END_COUNTS.pack(0, 0, count, count, len(directory), offset, 0)
    return bytes(data[offset:]) == directory + end
