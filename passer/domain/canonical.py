"""Reading canonical JSON (RFC 8785) strictly: what is not in its one canonical form is refused, with the place.

`canonical_json` of `base.py` writes it. Here the standard library's quick encoder does the comparing; what it would
write otherwise (numbers with exponents, keys beyond the basic plane) is handled apart.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from passer.domain.base import canonical_json

DEEPEST = 64
"""Nesting beyond this is refused."""
_SHORT_INTEGER, _LONGEST_NUMBER = 15, 40
_KEY_BEYOND_BASIC_PLANE = re.compile('[\U00010000-\U0010ffff][^"]*":')
"""Such keys alone have another order in RFC 8785; finds some texts too, which costs time only."""
_ODD_NUMBER = re.compile(
    r"([:,\[])(-?(?:[0-9]{16,}|0\.0000[0-9]+|[0-9]+\.0|[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+))(?=[,\]}])"
)
"""Numbers that the quick encoder may write otherwise than RFC 8785; a text mistaken for one no longer parses."""
_LONG_INTEGER = re.compile(r"[:,\[]-?[0-9]{16}")
_EXPONENT = re.compile(r"e[-+][0-9]+[,\]}]")
_WHOLE_FLOATS = (".0,", ".0]", ".0}")
"""Where none of these is found, no number that the quick encoder writes as it stands is odd."""
_MARKED = re.compile(r'"\\u0000odd([^"]*)"')
"""How such a number is passed through that encoder: its token, as a marked text."""
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[{}\[\],]', re.DOTALL)

_quick = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode


class NotCanonical(ValueError):
    """Bytes that are not the canonical form of anything; `position` is the first byte that is wrong."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True)
class Canonical:
    """A value that was read from its canonical form."""

    value: Any
    """As JSON has it: dicts, lists, texts, numbers, booleans, None."""
    is_plain: bool
    """Whether the quick encoder writes all of it as RFC 8785 does."""

    def dump(self, part: Any) -> bytes:
        """Canonical bytes of a part of the value."""
        return _quick(part).encode() if self.is_plain or _is_plain(part) else canonical_json(part)


def number_token(value: float) -> str:
    """A finite number as RFC 8785 (ECMAScript) writes it."""
    if isinstance(value, int):
        return str(value)
    token = repr(value)
    if token.endswith(".0") or "e" in token:
        return canonical_json(value).decode("ascii")
    return token


def text_token(value: str | None) -> str:
    """A text as RFC 8785 writes it; `null` for None."""
    return "null" if value is None else _quick(value)


def count_token(value: int | None) -> str:
    """An integer as RFC 8785 writes the double that it denotes; `null` for None."""
    if value is None or -(2**53) < value < 2**53:
        return "null" if value is None else str(value)
    return number_token(float(value)) if abs(value) < 10**300 else ""


def read_canonical(data: bytes) -> Canonical:
    """The value, or NotCanonical."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise NotCanonical("It is not UTF-8.", exc.start) from None
    try:
        value, written, is_plain = _read(text)
    except json.JSONDecodeError as exc:
        raise NotCanonical(f"It is not JSON ({exc.msg}).", _in_bytes(text, exc.pos)) from None
    except _BadNumber as exc:
        raise NotCanonical(f"The number {exc} is not written as RFC 8785 writes it.", _differs_at(text, data)) from None
    except (RecursionError, ValueError):
        message = "It holds what JSON cannot hold, or is nested too deeply."
        raise NotCanonical(message, _differs_at(text, data)) from None
    if written != data:
        raise NotCanonical("It is not in its canonical form (RFC 8785).", _first_difference(written, data))
    if data.count(b"[") + data.count(b"{") > DEEPEST and _is_deeper(value, DEEPEST):
        raise NotCanonical(f"It is nested more than {DEEPEST} deep.", 0)
    return Canonical(value=value, is_plain=is_plain)


def _read(text: str) -> tuple[Any, bytes, bool]:
    """The value, its canonical bytes, and whether the quick encoder alone wrote them."""
    if not text.startswith(("{", "[")) or (not text.isascii() and _KEY_BEYOND_BASIC_PLANE.search(text)):
        value = _exactly(text)
        return value, canonical_json(value), False
    if not (_LONG_INTEGER.search(text) or _EXPONENT.search(text) or any(end in text for end in _WHOLE_FLOATS)):
        value = json.loads(text)
        written = _quick(value)
        if written == text:
            return value, written.encode("utf-8"), True
    try:
        written = _MARKED.sub(r"\1", _quick(json.loads(_ODD_NUMBER.sub(_mark, text))))
        if written == text:
            # The numbers fit, so they need not be looked at again.
            return json.loads(text, parse_int=_whole), written.encode("utf-8"), False
    except (_BadNumber, ValueError):
        pass
    # A text of the document looks like an odd number or its mark, or something is wrong.
    value = _exactly(text)
    return value, canonical_json(value), False


def _exactly(text: str) -> Any:
    """The value, every number token looked at."""
    return json.loads(text, parse_int=_whole, parse_float=_real, parse_constant=_constant)


def path_at(data: bytes, position: int, names: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """Path of the member that holds a byte, such as `run.entry.results[3]`; empty for the document itself.

    The JSON may be broken there or later: what stands before is enough. `names` has the sorted member names of objects,
    by path with `[]` for every index: a name that is broken itself is then told by its place.
    """
    levels: list[_Level] = []
    for token in _TOKEN.finditer(data):
        if token.start() > position:
            break
        mark = token[0][:1]
        if mark in b"{[":
            levels.append(_Level(is_object=mark == b"{"))
        elif mark in b"}]" and levels and position >= token.end():
            levels.pop()
        elif mark == b"," and levels and position >= token.end():
            levels[-1].place += 1
            levels[-1].name = None
        elif mark == b'"' and levels and levels[-1].is_object and levels[-1].name is None:
            levels[-1].name = token[0].strip(b'"').decode("utf-8", "replace")
    path = general = ""
    for level in levels:
        if not level.is_object:
            path, general = f"{path}[{level.place}]", f"{general}[]"
            continue
        known = names.get(general, ())
        name = known[level.place] if level.place < len(known) else level.name
        if name is None or (known and level.place >= len(known)):
            break
        path, general = f"{path}.{name}".removeprefix("."), f"{general}.{name}".removeprefix(".")
    return path


@dataclass
class _Level:
    """One object or list on the way to a place in a document."""

    is_object: bool
    place: int = 0
    """Of the member, from 0."""
    name: str | None = None
    """Of the member; None before it was read, and in lists."""


class _BadNumber(Exception):
    """A number that is not written as RFC 8785 writes it."""


def _mark(found: re.Match[str]) -> str:
    """An odd number as a marked text, behind the mark before it."""
    _checked(found[2])
    return f'{found[1]}"\\u0000odd{found[2]}"'


def _whole(token: str) -> float:
    """An integer token as what it denotes: a double, exact as an int below 2^53."""
    return int(token) if len(token) <= _SHORT_INTEGER and token != "-0" else _checked(token)


def _real(token: str) -> float:
    """A token with a fraction or an exponent."""
    value = float(token)
    return value if repr(value) == token and "e" not in token and not token.endswith(".0") else _checked(token)


def _constant(token: str) -> float:
    """NaN and the infinities."""
    raise _BadNumber(token)


def _checked(token: str) -> float:
    """What a token denotes; _BadNumber where RFC 8785 writes that otherwise."""
    value = float(token) if len(token) < _LONGEST_NUMBER else math.inf
    if not math.isfinite(value) or number_token(value) != token:
        raise _BadNumber(token[:40])
    return int(token) if value.is_integer() and abs(value) < 2**53 else value


def _is_plain(value: Any) -> bool:
    """Whether the quick encoder writes a value as RFC 8785 does."""
    if isinstance(value, float):
        token = repr(value)
        return "e" not in token and not token.endswith(".0")
    if isinstance(value, dict):
        return all(key.isascii() for key in value) and all(map(_is_plain, value.values()))
    return all(map(_is_plain, value)) if isinstance(value, list | tuple) else True


def _is_deeper(value: Any, levels: int) -> bool:
    """Whether containers are nested more than so many levels deep."""
    layer = [value]
    while layer:
        if levels < 0:
            return True
        inside = (part.values() if isinstance(part, dict) else part if isinstance(part, list) else () for part in layer)
        layer = [child for children in inside for child in children if isinstance(child, dict | list)]
        levels -= 1
    return False


def _lenient(token: str) -> float:
    """An integer token, however it is written."""
    value = float(token) if len(token) < _LONGEST_NUMBER else math.inf
    return int(token) if abs(value) < 2**53 else value


def _differs_at(text: str, data: bytes) -> int:
    """Where the lenient reading, written canonically, first differs; 0 where that cannot be told."""
    try:
        return _first_difference(canonical_json(json.loads(text, parse_int=_lenient)), data)
    except json.JSONDecodeError as exc:
        return _in_bytes(text, exc.pos)
    except (ValueError, RecursionError):
        return 0


def _in_bytes(text: str, position: int) -> int:
    """A place in a text as a place in its UTF-8."""
    return len(text[:position].encode("utf-8", "surrogatepass"))


def _first_difference(one: bytes, other: bytes) -> int:
    """Place of the first byte that differs."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
