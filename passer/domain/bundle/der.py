"""Reading of DER (ITU-T X.690), as far as time stamps need it."""

from __future__ import annotations

from dataclasses import dataclass

SEQUENCE, SET, OBJECT, OCTETS, INTEGER, TIME = 0x30, 0x31, 0x06, 0x04, 0x02, 0x18
_LONGEST_LENGTH = 3
"""Bytes of a length: a time stamp has less than 16 MB."""


class NotDer(Exception):
    """The bytes have another form."""


@dataclass(frozen=True)
class Node:
    """One value: its tag, and where it is."""

    data: bytes
    tag: int
    start: int
    """Offset of the tag."""
    begin: int
    """Offset of the content."""
    end: int

    @property
    def content(self) -> bytes:
        """Return the value without tag and length."""
        return self.data[self.begin : self.end]

    @property
    def whole(self) -> bytes:
        """Return the value with tag and length."""
        return self.data[self.start : self.end]

    @property
    def parts(self) -> list[Node]:
        """Return the values inside; NotDer if they do not fill the content."""
        found, at = list[Node](), self.begin
        while at < self.end:
            found.append(_node(self.data, at, self.end))
            at = found[-1].end
        return found

    def of(self, *tags: int) -> list[Node]:
        """Return the values inside if they begin with these tags; else NotDer."""
        found = self.parts
        if len(found) < len(tags) or any(part.tag != tag for part, tag in zip(found, tags, strict=False)):
            raise NotDer
        return found


def read_der(data: bytes) -> Node:
    """Return the one value that fills the bytes; NotDer if none does."""
    found = _node(data, 0, len(data))
    if found.end != len(data):
        raise NotDer
    return found


def _node(data: bytes, at: int, end: int) -> Node:
    if at + 2 > end or data[at] & 0x1F == 0x1F:
        raise NotDer
    length, begin = data[at + 1], at + 2
    if length >= 0x80:
        size = length - 0x80
        if not 1 <= size <= _LONGEST_LENGTH or begin + size > end:
            raise NotDer
        length = int.from_bytes(data[begin : begin + size], "big")
        if length < 0x80 or length >> 8 * (size - 1) == 0:  # a shorter form exists
            raise NotDer
        begin += size
    if begin + length > end:
        raise NotDer
    return Node(data, data[at], at, begin, begin + length)
