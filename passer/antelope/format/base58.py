"""Base 58 with a checksum, the text form of keys and signatures.

Nothing here raises with what it was given: it may be a private key.
"""

from __future__ import annotations

from passer.antelope.format.ripemd160 import ripemd160

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
