"""Numbers in texts: with a decimal point or a decimal comma, in percent, and written as data frames store them."""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite

_WITH_COMMA = re.compile(r"[+-]?(?:\d+|[1-9]\d{0,2}(?:[. \u00a0\u202f]\d{3})+),\d+", re.ASCII)
_GROUPED_BY_COMMA = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?P<decimals>\.\d+)?", re.ASCII)
_GROUPED_BY_POINT = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+", re.ASCII)


def number_text(value: float) -> str:
    """Return a finite number without exponent, a whole one without decimals.

    Data frames store 1815 as 1815.0 in a column where a cell is empty, and 0.00001 is no 1e-05 in a text.
    """
    return str(int(value)) if value == int(value) else f"{Decimal(repr(value)):f}"


def has_decimal_comma(text: str) -> bool:
    """Return whether a text can only be a number with a decimal comma: 0,52 or 1.234,5, but not 1,234."""
    plain = _unit(text)[0]
    return bool(_WITH_COMMA.fullmatch(plain)) and not _GROUPED_BY_COMMA.fullmatch(plain)


def parsed_number(text: str, *, comma: bool = False) -> float | None:
    """Return the finite number in a text, percent as a share; None if there is none, or it could be two numbers.

    `comma`: the texts around it have decimal commas, so that 1,234 is less than two, and 1.234 more than a thousand.
    """
    plain, share = _unit(text)
    if _WITH_COMMA.fullmatch(plain) and (comma or not _GROUPED_BY_COMMA.fullmatch(plain)):
        plain = re.sub(r"[. \u00a0\u202f]", "", plain).replace(",", ".")
    elif (grouped := _GROUPED_BY_COMMA.fullmatch(plain)) and grouped["decimals"] and not comma:
        plain = plain.replace(",", "")
    elif comma and _GROUPED_BY_POINT.fullmatch(plain):
        plain = plain.replace(".", "")
    try:
        value = float(Decimal(plain) * share) if share != 1 else float(plain)
    except (ArithmeticError, ValueError):
        return None
    return value if isfinite(value) and "_" not in plain else None


def _unit(text: str) -> tuple[str, Decimal]:
    """Return a number without its percent sign, and what it is multiplied by."""
    plain = text.strip()
    return (plain[:-1].rstrip(), Decimal("0.01")) if plain.endswith("%") else (plain, Decimal(1))
