"""The one form of a bundle's zip: stored members, constant date, no byte that does not follow from the contents."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

MEMBERS = ("manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl")
"""In the order in which they lie in the file."""
LARGEST = 2**32 - 1
"""Bytes of a bundle, and one more than it may have."""

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LOCAL_SIGN, _CENTRAL_SIGN, _END_SIGN = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_VERSION, _MADE_BY, _DATE, _ATTRIBUTES = 20, 0x0314, 0x0021, 0x81A40000
_END_WITHIN = _END.size + 65_535

Buffer = bytes | memoryview


@dataclass(frozen=True)
class MemberPlace:
    """What the zip says of one member."""

    name: str
    crc: int
    size: int
    offset: int
    """Of its local header."""

    @property
    def local_header(self) -> bytes:
        """What stands before its content."""
        sizes = (self.crc, self.size, self.size)
        name = self.name.encode("ascii")
        return _LOCAL.pack(_LOCAL_SIGN, _VERSION, 0, 0, 0, _DATE, *sizes, len(name), 0) + name

    @property
    def central_header(self) -> bytes:
        """What stands of it in the directory at the end."""
        sizes = (self.crc, self.size, self.size)
        name = self.name.encode("ascii")
        packed = _CENTRAL.pack(_CENTRAL_SIGN, _MADE_BY, _VERSION, 0, 0, 0, _DATE, *sizes, len(name), 0, 0, 0, 0,
                               _ATTRIBUTES, self.offset)  # fmt: skip
        return packed + name

    @property
    def end(self) -> int:
        """Offset behind its content."""
        return self.offset + header_size(self.name) + self.size


@dataclass
class ReadZip:
    """The members that could be found, and what is wrong with the file around them."""

    members: dict[str, Buffer] = field(default_factory=dict)
    problems: list[tuple[str, str | None]] = field(default_factory=list)
    """One sentence each, with the member that it is about."""


def header_size(name: str) -> int:
    """Bytes of a local header."""
    return _LOCAL.size + len(name)


def directory(places: Sequence[MemberPlace]) -> bytes:
    """Everything behind the last content."""
    headers = b"".join(place.central_header for place in places)
    start = places[-1].end if places else 0
    return headers + _END.pack(_END_SIGN, 0, 0, len(places), len(places), len(headers), start, 0)


def is_zip(data: Buffer) -> bool:
    """Whether it looks like a zip at all, however broken."""
    return bytes(data[:4]) == _LOCAL_SIGN or _END_SIGN in bytes(data[-_END_WITHIN:])


def read_zip(data: Buffer) -> ReadZip:
    """Find the members without believing more than has to be believed."""
    found, places, offset = ReadZip(), [], 0
    for number, name in enumerate(MEMBERS):
        size = _size_of(data, offset, number)
        if size is None:
            found.problems.append(
                (f"The place of {name} cannot be found: the file is cut or its headers are broken.", name)
            )
            return found
        start = offset + header_size(name)
        content = data[start : start + size]
        place = MemberPlace(name=name, crc=zlib.crc32(content), size=size, offset=offset)
        if bytes(data[offset:start]) != place.local_header:
            found.problems.append((f"The header before {name} is not the one that its content asks for.", name))
        found.members[name] = content
        places.append(place)
        offset = place.end
    if bytes(data[offset : offset + LARGEST]) != directory(places):
        found.problems.append(("The directory behind the last member is not the one that the members ask for.", None))
    return found


def _size_of(data: Buffer, offset: int, number: int) -> int | None:
    """Size of the member whose header begins there: the one of its two sizes behind which the next thing begins."""
    header = bytes(data[offset : offset + _LOCAL.size])
    if len(header) < _LOCAL.size:
        return None
    start = offset + header_size(MEMBERS[number])
    for size in dict.fromkeys(_LOCAL.unpack(header)[7:9]):
        if start + size <= len(data) and _begins(data, start + size, number + 1):
            return int(size)
    return None


def _begins(data: Buffer, offset: int, number: int) -> bool:
    """Whether the member of that number, or the directory, begins there; one of two marks is enough."""
    mark = bytes(data[offset : offset + 4])
    if number == len(MEMBERS):
        name, at, sign = MEMBERS[0], offset + _CENTRAL.size, _CENTRAL_SIGN
    else:
        name, at, sign = MEMBERS[number], offset + _LOCAL.size, _LOCAL_SIGN
    return mark == sign or bytes(data[at : at + len(name)]) == name.encode("ascii")
