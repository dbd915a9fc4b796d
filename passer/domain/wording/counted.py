"""Counts with their noun, for English text outside the catalogues: the command line and errors for operators."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Return a count with its regular noun: 0 rows, 1 row, 2 entries, 1,500 questions."""
    plural = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
