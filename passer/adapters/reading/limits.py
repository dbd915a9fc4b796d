"""Limits of reading one file, and the measure of the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ReaderLimits:
    """Limits of memory, time and output of reading one file."""

    memory_mb: int = 1000
    """Memory of the process beyond what it has before it reads."""
    cpu_s: int = 15
    """Processor time."""
    wall_s: float = 60.0
    """Time on the clock; more than the processor time, because others want the processors too."""
    characters: int = 100_000_000
    """Characters of what was read, repetitions included."""
    cells: int = 10_000_000
    """Values of what was read: texts, numbers, rows."""


def is_too_much(found: Any, limits: ReaderLimits) -> bool:
    """Return whether a result is beyond the limits. Counts each repetition of a shared text: it will be written out."""
    # Imported here, because a process that reads tables needs no documents, and starts faster without them.
    from passer.domain.retrieval.passages import Document

    characters = cells = 0
    waiting = [found]
    while waiting:
        value = waiting.pop()
        cells += 1
        if isinstance(value, Document | str | bytes):
            characters += len(value.text if isinstance(value, Document) else value)
        elif isinstance(value, Mapping):
            # Rows share the names of their columns, which are stored once.
            waiting.extend(value.values())
        elif isinstance(value, list | tuple):
            waiting.extend(value)
        if characters > limits.characters or cells > limits.cells:
            return True
    return False
