"""Ports of the clock, of component checks, and of external observers: one trace per question, with its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from passer.domain.base import Frozen
from passer.domain.models.answer import Answer
from passer.domain.models.chat import Message
from passer.domain.models.model import Model
from passer.domain.retrieval.passages import RetrievedPassage
from passer.domain.score import Scores
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


@dataclass(frozen=True)
class Span:
    """Begin and end of a step; UTC, with time zone."""

    began: datetime
    ended: datetime


@dataclass(frozen=True)
class TracedQuestion:
    """Sweep, run and number of a traced question."""

    sweep_id: str
    run_id: str
    question_id: str


@dataclass(frozen=True)
class Retrieval:
    """Retrieval step of a question."""

    span: Span
    passages: Sequence[RetrievedPassage]
    """Passages that the configuration keeps, best first."""


@dataclass(frozen=True)
class Generation:
    """Generation step of a question."""

    span: Span
    messages: Sequence[Message]
    """The prompt; none where it was rendered by an earlier process."""
    answer: Answer
    is_reused: bool
    """True if the answer was generated for another question, whose trace counts its tokens."""


@dataclass(frozen=True)
class Scoring:
    """Scoring step of an answer."""

    span: Span
    scores: Scores
    """Scores by column."""


@dataclass(frozen=True)
class QuestionTrace:
    """One question under one configuration, from its first step to its last; steps that were not taken are None."""

    span: Span
    question: str
    model: Model
    asked: TracedQuestion | None
    """None for a question outside of every sweep."""
    retrieval: Retrieval | None = None
    generation: Generation | None = None
    scoring: Scoring | None = None
    failure: str | None = None
    """Reason why there is no answer, in one sentence; None if there is one."""


class Traces(Protocol):
    """Receives traces of questions."""

    def record(self, trace: QuestionTrace) -> None:
        """Export a trace; returns at once and never raises, even if the export fails."""
