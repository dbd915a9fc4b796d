"""The activity log: who did what. Each row contains the digest of the row before it, as in the local ledger."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from pydantic import Field

from passer.domain.base import Count, Frozen, digest_of
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence

Via = Literal["session", "token", "command", "local"]
"""A browser's session, a program's token, the command line, or the one person who uses PaSSER without accounts."""
ActOutcome = Literal["done", "refused", "failed"]
"""Outcome: done, refused because the caller lacks the role, or failed with an error."""
NOTHING_BEFORE = "0" * 64
"""Value of `previous` in the first row."""
LONGEST_SUBJECT = 300


class Act(Frozen):
    """An action that an account took or tried. It never contains a body, a query, a header or a password."""

    account: str | None = None
    """Name of the account; of a command, the name of the operating system's user; None without accounts."""
    via: Via
    """Channel of the request."""
    operation: str = Field(max_length=60)
    """Operation id of the HTTP interface, or the command without its arguments."""
    subject: str | None = Field(default=None, max_length=LONGEST_SUBJECT)
    """Name or id of what it was done to; None where there is none."""
    outcome: ActOutcome
    """Outcome of the action."""


class LoggedAct(Act):
    """A row of the activity log."""

    number: Count
    """Place in the log, from 1."""
    at: datetime
    """Time of the record, UTC, whole seconds."""
    previous: Digest
    """Digest of the row before it; 64 zeros in the first row."""
    digest: Digest
    """SHA-256 of the canonical JSON (RFC 8785) of the other fields."""


class ActivityCheck(Frozen):
    """Result of checking that the rows of an activity log are as they were recorded."""

    rows: Count
    """Number of rows."""
    digest: Digest | None = None
    """Digest of the last row; None for an empty log. Note it elsewhere to detect later changes of earlier rows."""
    problem: LocalizedText | None = None
    """The first row that is wrong, in one sentence; None if none is."""


def logged(act: Act, *, number: int, at: datetime, previous: str) -> LoggedAct:
    """Return an act as the row of this number after the row with the digest `previous`."""
    row = LoggedAct(**act.model_dump(), number=number, at=at.replace(microsecond=0), previous=previous, digest="0" * 64)
    return row.model_copy(update={"digest": _digest(row)})


def check(rows: Iterable[LoggedAct], *, expected: tuple[int, str] | None = None) -> ActivityCheck:
    """Check all rows of a log, oldest first; `expected` is the number and digest of a row that was noted earlier."""
    number, last = 0, NOTHING_BEFORE
    for row in rows:
        problem = _problem(row, number, last)
        if problem is None and expected is not None and row.number == expected[0] and row.digest != expected[1]:
            problem = sentence("activity.other-head", row=row.number)
        if problem is not None:
            return ActivityCheck(rows=number, digest=last if number else None, problem=problem)
        number, last = row.number, row.digest
    problem = None
    if expected is not None and expected[0] > number:
        problem = sentence("activity.short", last=number, row=expected[0])
    return ActivityCheck(rows=number, digest=last if number else None, problem=problem)


def _problem(row: LoggedAct, before: int, last: str) -> Sentence | None:
    if row.number != before + 1:
        return sentence("activity.missing", row=before + 1)
    if row.previous != last:
        return sentence("activity.not-next", row=row.number, before=before)
    if row.digest != _digest(row):
        return sentence("activity.changed", row=row.number)
    return None


def _digest(row: LoggedAct) -> str:
    return digest_of(row.model_dump(mode="json", exclude={"digest"}))
