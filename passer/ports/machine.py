"""This machine: its clock, and the parts of the system that are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from passer.domain.base import Frozen
from passer.errors import PasserError


class Clock(Protocol):
    """Time, as an argument."""

    def now(self) -> datetime:
        """UTC, with time zone."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        ...


class Part(Frozen):
    """A part of the system."""

    name: str
    """What it is."""
    ok: bool
    """Whether it is there and answers."""
    required: bool
    """Whether nothing runs without it."""
    detail: str
    """What it says of itself, or what is missing."""
    command: str | None = None
    """What adds or starts it, where it is missing."""


@dataclass(frozen=True)
class Check:
    """How one part is looked at."""

    name: str
    """What it is."""
    look: Callable[[], str]
    """What it says of itself; raises PasserError where it is missing."""
    command: str
    """What adds or starts it."""
    required: bool = False
    """Whether nothing runs without it."""

    def __call__(self) -> Part:
        """Look."""
        try:
            return Part(name=self.name, ok=True, required=self.required, detail=self.look())
        except PasserError as exc:
            return Part(name=self.name, ok=False, required=self.required, detail=exc.message, command=self.command)
