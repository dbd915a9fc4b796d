"""Account and action names: 64 bits that read as up to thirteen letters."""

from __future__ import annotations

from functools import lru_cache

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
