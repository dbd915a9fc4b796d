"""Base 58 with a checksum, the text form of keys and signatures, and RIPEMD-160, which makes these checksums.

Nothing here raises with what it was given: it may be a private key. OpenSSL 3 has RIPEMD-160 only among its legacy
algorithms, often left out (Dobbertin, Bosselaers, Preneel: RIPEMD-160, a strengthened version of RIPEMD, 1996).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable

_IN_OPENSSL = "ripemd160" in hashlib.algorithms_available
_MASK = 0xFFFFFFFF
_START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
_PERMUTATION = (7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8)
_SHIFTS = (
    (11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8),
    (12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7),
    (13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9),
    (14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6),
    (15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5),
)
"""Shifts by round and message word."""
_LEFT = (0, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E)
_RIGHT = (0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0)
_MIX: tuple[Callable[[int, int, int], int], ...] = (
    lambda x, y, z: x ^ y ^ z,
    lambda x, y, z: (x & y) | (~x & z),
    lambda x, y, z: (x | ~y) ^ z,
    lambda x, y, z: (x & z) | (y & ~z),
    lambda x, y, z: x ^ (y | ~z),
)


def ripemd160(data: bytes) -> bytes:
    """Return the RIPEMD-160 digest: 20 bytes."""
    # OpenSSL's takes microseconds, this one 2 ms: as long as packing and signing a transaction.
    if _IN_OPENSSL:
        return hashlib.new("ripemd160", data, usedforsecurity=False).digest()
    return ripemd160_in_python(data)


def ripemd160_in_python(data: bytes) -> bytes:
    """Return the same without OpenSSL."""
    padded = data + b"\x80" + bytes(-(len(data) + 9) % 64) + struct.pack("<Q", 8 * len(data))
    state: tuple[int, ...] = _START
    for start in range(0, len(padded), 64):
        state = _compressed(state, struct.unpack("<16I", padded[start : start + 64]))
    return struct.pack("<5I", *state)


def _compressed(state: tuple[int, ...], words: tuple[int, ...]) -> tuple[int, ...]:
    straight = tuple(range(16))
    crossed = tuple((9 * place + 5) % 16 for place in range(16))
    left = _line(state, words, straight, mixes=_MIX, constants=_LEFT)
    right = _line(state, words, crossed, mixes=_MIX[::-1], constants=_RIGHT)
    return tuple(
        (state[(place + 1) % 5] + left[(place + 2) % 5] + right[(place + 3) % 5]) & _MASK for place in range(5)
    )


def _line(
    state: tuple[int, ...],
    words: tuple[int, ...],
    order: tuple[int, ...],
    *,
    mixes: tuple[Callable[[int, int, int], int], ...],
    constants: tuple[int, ...],
) -> tuple[int, ...]:
    a, b, c, d, e = state
    for mix, constant, shifts in zip(mixes, constants, _SHIFTS, strict=True):
        for word in order:
            turned = _turned((a + mix(b, c, d) + words[word] + constant) & _MASK, shifts[word])
            a, b, c, d, e = e, (turned + e) & _MASK, b, _turned(c, 10), d
        order = tuple(_PERMUTATION[word] for word in order)
    return a, b, c, d, e


def _turned(value: int, by: int) -> int:
    return (value << by | value >> 32 - by) & _MASK


_DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LONGEST = 2048
"""Letters; a WebAuthn key has some 200."""


def encoded(data: bytes) -> str:
    """Letters for bytes; each zero byte at the front is a 1."""
    number, letters = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        letters = _DIGITS[digit] + letters
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + letters


def decoded(text: str) -> bytes | None:
    """Bytes of letters; None where they are not base 58."""
    if len(text) > _LONGEST:
        return None
    number = 0
    for letter in text:
        digit = _DIGITS.find(letter)
        if digit < 0:
            return None
        number = number * 58 + digit
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def sealed(data: bytes, kind: str) -> str:
    """Return bytes and their RIPEMD-160 checksum as base58; it covers the kind (`K1`; empty: legacy form) too."""
    return encoded(data + ripemd160(data + kind.encode())[:4])


def unsealed(text: str, kind: str) -> bytes | None:
    """Return the bytes of a text with a valid checksum; None otherwise."""
    data = decoded(text)
    if data is None or len(data) < 5 or ripemd160(data[:-4] + kind.encode())[:4] != data[-4:]:
        return None
    return data[:-4]
