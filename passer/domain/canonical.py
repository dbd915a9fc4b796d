"""Strict reading of canonical JSON (RFC 8785); `canonical_json` of `base.py` writes it."""

from __future__ import annotations

import json
from typing import Any

from passer.domain.base import canonical_json

DEEPEST = 64
"""Deepest nesting of lists and objects within the outermost one."""
_LARGEST_INTEGER = 2**53 - 1
_NESTS = (dict, list)
"""Checked three times as fast as a union that is made anew for each value."""


class NotCanonical(ValueError):
    """Error for bytes that are not the canonical form of any JSON value."""


def read_canonical(data: bytes) -> Any:
    """Return the value whose canonical JSON is `data`; raise NotCanonical if there is none.

    Writing the value again and comparing the bytes refuses white space, another order, duplicate keys, other escapes
    and other spellings of a number in one step.
    """
    value = _parsed(data)
    try:
        written = canonical_json(value, is_read=True)
    except (RecursionError, ValueError):
        raise NotCanonical("Canonical JSON cannot represent one of the numbers or texts.") from None
    if written != data:
        raise NotCanonical("It is not in canonical form (RFC 8785).")
    return value


def _parsed(data: bytes) -> Any:
    try:
        value = json_value(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise NotCanonical("It is not UTF-8.") from None
    except json.JSONDecodeError as exc:
        raise NotCanonical(f"It is not JSON ({exc.msg}).") from None
    except RecursionError:
        raise NotCanonical(_TOO_DEEP) from None
    except ValueError:  # an integer with more digits than Python converts
        raise NotCanonical("Canonical JSON cannot represent one of the numbers.") from None
    if is_too_deep(data, value):
        raise NotCanonical(_TOO_DEEP)
    return value


def is_too_deep(data: bytes, value: Any) -> bool:
    """Return whether the value of some JSON is nested too deeply."""
    # Brackets are counted first: a deep document needs many of them, and most documents have too few to be walked.
    return data.count(b"[") + data.count(b"{") > DEEPEST and _is_deeper(value, DEEPEST)


_TOO_DEEP = f"It is nested more than {DEEPEST} levels deep."


def json_value(text: str) -> Any:
    """Return the value of JSON; an integer beyond 2^53 - 1 becomes the double that it denotes."""
    return _DECODER.decode(text)


def _integer(token: str) -> float:
    # RFC 8785 writes the double 1e16 with 17 digits, and `rfc8785` refuses to write that integer again.
    value = int(token)
    return value if abs(value) <= _LARGEST_INTEGER else float(token)


_DECODER = json.JSONDecoder(parse_int=_integer)


def _is_deeper(value: Any, levels: int) -> bool:
    # Level by level: a function call for each of the 100,000 values in the rows of a long run takes three times longer.
    parts = [value]
    for _ in range(levels + 2):
        held = [part for part in parts if isinstance(part, _NESTS)]
        if not held:
            return False
        parts = [each for part in held for each in (part.values() if isinstance(part, dict) else part)]
    return True
