"""Ports of the clock and of component checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from passer.domain.base import Frozen
from passer.domain.wording.sentence import LocalizedText
from passer.errors import NotConfigured, PasserError


class Clock(Protocol):
    """A clock, passed as an argument so that tests control time."""

    def now(self) -> datetime:
        """Return the current time in UTC, with time zone."""

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes back."""


class Part(Frozen):
    """A component of the system and its state."""

    name: str
    """Its name."""
    ok: bool
    """True if it is available."""
    required: bool
    """True if PaSSER cannot work without it."""
    is_configured: bool = True
    """True if it is configured; otherwise it is not available, which is no problem."""
    detail: LocalizedText
    """Details, or what is missing."""
    command: str | None = None
    """Command that installs or starts it, if it is missing."""


@dataclass(frozen=True)
class Check:
    """A check of one component."""

    name: str
    """Name of the component."""
    report: Callable[[], str]
    """Returns details; raises PasserError if the component is missing."""
    command: str
    """Command that installs or starts it."""
    required: bool = False
    """True if PaSSER cannot work without it."""

    def __call__(self) -> Part:
        """Run the check."""
        try:
            return Part(name=self.name, ok=True, required=self.required, detail=self.report())
        except PasserError as exc:
            return Part(
                name=self.name,
                ok=False,
                required=self.required,
                is_configured=not isinstance(exc, NotConfigured),
                detail=exc.message,
                command=self.command,
            )
