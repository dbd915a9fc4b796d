"""Antelope's packed bytes: little-endian, lengths as variable-length integers, no padding; and names in 64 bits."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Self, TypeVar

from passer.domain.wording.sentence import sentence
from passer.errors import InputError

_LETTERS = ".12345abcdefghijklmnopqrstuvwxyz"
_LONGEST = 13


@lru_cache(maxsize=4096)
def name_value(text: str) -> int:
    """Return a name's 64 bits: five for each of twelve letters, four for the thirteenth; InputError if it is none."""
    value = 0
    for place, letter in enumerate(text):
        code = _LETTERS.find(letter)
        if code < 0 or place >= _LONGEST or (place == _LONGEST - 1 and code > 0xF):
            raise _no_name(text)
        value |= code << (59 - 5 * place) if place < _LONGEST - 1 else code
    if name_text(value) != text:
        raise _no_name(text)
    return value


@lru_cache(maxsize=4096)
def name_bytes(text: str) -> bytes:
    """Return a name's eight bytes; InputError if it is none."""
    return name_value(text).to_bytes(8, "little")


@lru_cache(maxsize=4096)
def name_text(value: int) -> str:
    """Return the letters of a name's 64 bits, without dots at the end."""
    letters = [_LETTERS[value >> (59 - 5 * place) & 0x1F] for place in range(_LONGEST - 1)]
    return "".join((*letters, _LETTERS[value & 0xF])).rstrip(".")


def _no_name(text: str) -> InputError:
    return InputError(sentence("chain.not-an-account", name=text[:40]))


T = TypeVar("T")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_VARUINT = 5
_ONE_BYTE = tuple(bytes([value]) for value in range(0x80))
"""Short lengths, which are most."""


class Packer:
    """Collects packed values; each method adds one and returns the packer."""

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def packed(self) -> bytes:
        """Return all bytes written so far."""
        return b"".join(self._parts)

    def raw(self, data: bytes) -> Self:
        """Append bytes that are packed already."""
        self._parts.append(data)
        return self

    def uint8(self, value: int) -> Self:
        """Append one byte."""
        return self.raw(_number("<B", value))

    def uint16(self, value: int) -> Self:
        """Append two bytes."""
        return self.raw(_number("<H", value))

    def uint32(self, value: int) -> Self:
        """Append four bytes."""
        return self.raw(_number("<I", value))

    def uint64(self, value: int) -> Self:
        """Append eight bytes."""
        return self.raw(_number("<Q", value))

    def varuint32(self, value: int) -> Self:
        """Append seven bits a byte, the lowest first; up to five bytes."""
        if not 0 <= value < 1 << 32:
            raise InputError(sentence("chain.not-32-bits", value=value))
        if value <= 0x7F:
            return self.raw(_ONE_BYTE[value])
        out = bytearray()
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
        return self.raw(bytes(out))

    def boolean(self, value: bool) -> Self:
        """Append one byte, 0 or 1."""
        return self.uint8(int(value))

    def name(self, text: str) -> Self:
        """Append eight bytes."""
        return self.raw(name_bytes(text))

    def blob(self, data: bytes) -> Self:
        """Append `bytes`: the length, then the bytes."""
        return self.varuint32(len(data)).raw(data)

    def string(self, text: str) -> Self:
        """Append the length in bytes, then the text in UTF-8."""
        try:
            return self.blob(text.encode())
        except UnicodeEncodeError:
            raise InputError(sentence("chain.half-surrogate")) from None

    def checksum256(self, digest: str) -> Self:
        """Append 32 bytes from hexadecimal text."""
        try:
            data = bytes.fromhex(digest)
        except ValueError:
            data = b""
        if len(data) != 32:
            raise InputError(sentence("chain.not-digest", value=digest[:70]))
        return self.raw(data)

    def float64s(self, values: Iterable[float]) -> Self:
        """Append `float64[]`: the count, then eight bytes each."""
        numbers = tuple(values)
        return self.varuint32(len(numbers)).raw(struct.pack(f"<{len(numbers)}d", *numbers))

    def time_point_sec(self, moment: datetime) -> Self:
        """Append whole seconds since 1970 as four bytes; a fraction is cut off."""
        return self.uint32((moment - _EPOCH) // timedelta(seconds=1))

    def list(self, items: Iterable[T], pack: Callable[[Packer, T], object]) -> Self:
        """Append the count, then each item as `pack` does it."""
        values = tuple(items)
        self.varuint32(len(values))
        for value in values:
            pack(self, value)
        return self


class Unpacker:
    """Reads packed values from the front, one method each; InputError where the bytes end too early or are wrong."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def at(self) -> int:
        """Number of bytes read so far."""
        return self._at

    @property
    def left(self) -> int:
        """Return the number of bytes that are left."""
        return len(self._data) - self._at

    def done(self) -> None:
        """Refuse bytes that are left over."""
        if self.left:
            raise InputError(sentence("chain.bytes-left", left=self.left))

    def raw(self, size: int) -> bytes:
        """Read the next `size` bytes."""
        if size > self.left:
            raise InputError(sentence("chain.bytes-missing"))
        self._at += size
        return self._data[self._at - size : self._at]

    def uint8(self) -> int:
        """Read one byte."""
        return self.raw(1)[0]

    def uint16(self) -> int:
        """Read two bytes."""
        return int.from_bytes(self.raw(2), "little")

    def uint32(self) -> int:
        """Read four bytes."""
        return int.from_bytes(self.raw(4), "little")

    def uint64(self) -> int:
        """Read eight bytes."""
        return int.from_bytes(self.raw(8), "little")

    def varuint32(self) -> int:
        """Read up to five bytes. Only the shortest form is accepted, so that packing again gives the same bytes."""
        value = 0
        for place in range(_LONGEST_VARUINT):
            byte = self.uint8()
            value |= (byte & 0x7F) << 7 * place
            if not byte & 0x80:
                if value >= 1 << 32 or (place and not byte):
                    break
                return value
        raise InputError(sentence("chain.odd-length"))

    def boolean(self) -> bool:
        """Read one byte."""
        return bool(self.uint8())

    def name(self) -> str:
        """Read eight bytes."""
        return name_text(self.uint64())

    def blob(self) -> bytes:
        """Read a length, then as many bytes."""
        return self.raw(self.varuint32())

    def string(self) -> str:
        """Read length and UTF-8. Invalid bytes become U+FFFD, because chains accept any bytes."""
        return self.blob().decode(errors="replace")

    def checksum256(self) -> str:
        """Read 32 bytes; return them in hex."""
        return self.raw(32).hex()

    def float64s(self) -> tuple[float, ...]:
        """Read count, then eight bytes each; NaN and infinities are allowed."""
        count = self.varuint32()
        return struct.unpack(f"<{count}d", self.raw(8 * count))

    def time_point_sec(self) -> datetime:
        """Read four bytes as a time, UTC."""
        return _EPOCH + timedelta(seconds=self.uint32())

    def list(self, unpack: Callable[[Unpacker], T]) -> tuple[T, ...]:
        """Read a count, then each item as `unpack` does it."""
        return tuple(unpack(self) for _ in range(self.varuint32()))


def _number(form: str, value: int) -> bytes:
    try:
        return struct.pack(form, value)
    except struct.error:
        raise InputError(sentence("chain.not-number", value=value, bits=8 * struct.calcsize(form))) from None
