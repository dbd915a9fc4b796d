"""Strangers' files are read by processes that may die."""

from __future__ import annotations

from passer.adapters.reading.isolated import (
    IsolatedDocuments,
    IsolatedPrompt,
    IsolatedSheets,
    IsolatedSplitter,
    IsolatedTables,
)
from passer.adapters.reading.limits import ReaderLimits
from passer.adapters.reading.pool import ReaderPool

__all__ = [
    "IsolatedDocuments",
    "IsolatedPrompt",
    "IsolatedSheets",
    "IsolatedSplitter",
    "IsolatedTables",
    "ReaderLimits",
    "ReaderPool",
]
