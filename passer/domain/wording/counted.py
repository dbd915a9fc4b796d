"""Whole numbers and counts with their noun, also for English text outside the catalogues: commands and errors."""

from __future__ import annotations

THIN = "\u202f"
"""Between thousands: readers of Bulgarian and German take a comma for the decimal one."""


def grouped(value: float) -> str:
    """Return a number without decimals, with a narrow no-break space between thousands."""
    return f"{value:,.0f}".replace(",", THIN)


def counted(count: int, noun: str) -> str:
    """Return a count with its regular noun: 0 rows, 1 row, 2 entries, 1\u202f500 questions."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{grouped(count)} {noun if count == 1 else plural}"
