"""Errors as the table of work keeps them, so that a client learns the same from a row as from the process itself."""

from __future__ import annotations

from passer import errors
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, PasserError
from passer.ports import FailedPart, WorkFailure

UNEXPECTED = sentence("problem.unexpected")


def failure_of(exc: Exception) -> WorkFailure:
    """Return what is kept of an error."""
    if not isinstance(exc, PasserError):
        return WorkFailure(error=None, message=UNEXPECTED)
    found = exc.problems if isinstance(exc, InputError) else ()
    return WorkFailure(
        error=type(exc).__name__,
        message=exc.message,
        field=exc.field if isinstance(exc, InputError) else None,
        parts=tuple(FailedPart(message=each.message, row=each.row, field=each.field) for each in found),
    )


def error_of(failure: WorkFailure) -> PasserError | None:
    """Return the error again; None for one that PaSSER did not expect."""
    kind = getattr(errors, failure.error or "", None)
    if not (isinstance(kind, type) and issubclass(kind, PasserError)):
        return None
    if issubclass(kind, InputError):
        parts = tuple(errors.Problem(each.message, row=each.row, field=each.field) for each in failure.parts)
        return kind(failure.message, field=failure.field, problems=parts)
    # Some classes ask for more than a message: what a client is shown needs none of it.
    return PasserError.__new__(kind, failure.message)
