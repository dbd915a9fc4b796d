"""Errors as RFC 9457 problem details: the one place where an error becomes a status."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field
from starlette.exceptions import HTTPException

from passer import errors
from passer.domain.base import Frozen
from passer.domain.wording.sentence import Said, Worded

log = logging.getLogger(__name__)

STATUS: tuple[tuple[type[errors.PasserError], int, str], ...] = (
    (errors.TooLargeError, 413, "Too large"),
    (errors.InputError, 422, "Not accepted"),
    (errors.NotFoundError, 404, "Not found"),
    (errors.ModelNotFoundError, 422, "Model not found"),
    (errors.ConflictError, 409, "Conflict"),
    (errors.UnavailableError, 503, "Unavailable"),
    (errors.GenerationError, 502, "Generation failed"),
    (errors.PasserError, 400, "Refused"),
)
"""First match wins."""
SIGNING: dict[errors.SigningReason, tuple[int, str]] = {
    "no-chain": (409, "No chain"),
    "signs-itself": (409, "The server signs"),
    "nothing-waits": (409, "Nothing waits"),
    "held": (409, "Held by another account"),
    "signed-already": (409, "Signed already"),
    "expired": (409, "Expired"),
    "given-up": (409, "Given up"),
    "other-account": (403, "Rows of another account"),
    "foreign-key": (403, "Foreign key"),
    "missing-signature": (403, "Signatures missing"),
    "malformed-signature": (422, "Malformed signature"),
    "unknown-transaction": (404, "Unknown transaction"),
    "kept": (503, "Kept, posted later"),
}
"""Status and title by the reason, which is the end of the problem's type."""


class FieldProblem(Frozen):
    """One thing wrong with what was sent."""

    message: Said
    """One sentence."""
    field: str | None = None
    """Path of the field, with dots."""
    row: int | None = None
    """Row of the file, from 1."""


class Problem(Worded):
    """RFC 9457 problem details."""

    type: str = "about:blank"
    """Kind of problem."""
    title: str
    """The kind in words."""
    status: int
    """HTTP status."""
    detail: Said
    """One sentence that says what to do."""
    errors: tuple[FieldProblem, ...] = Field(default=())
    """Fields or rows that are wrong."""


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    """A problem as HTTP."""
    return JSONResponse(problem.model_dump(mode="json"), problem.status, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Turn every error of the application into problem details."""

    @app.exception_handler(errors.PasserError)
    def _passer(_: Request, exc: errors.PasserError) -> JSONResponse:
        return problem_response(problem_of(exc))

    @app.exception_handler(RequestValidationError)
    def _validation(_: Request, exc: RequestValidationError) -> JSONResponse:
        found = tuple(_field_problem(error) for error in exc.errors())
        first = found[0] if found else FieldProblem(message="It is not what was expected")
        where = f"{first.field}: " if first.field else ""
        return problem_response(
            Problem(title="Not accepted", status=422, detail=f"{where}{first.message}.", errors=found)
        )

    @app.exception_handler(Exception)
    def _unexpected(request: Request, exc: Exception) -> JSONResponse:
        log.error("%s %s failed", request.method, request.url.path, exc_info=exc)
        detail = "PaSSER itself failed: look at the server's log."
        return problem_response(Problem(title="Error", status=500, detail=detail))

    @app.exception_handler(HTTPException)
    def _http(_: Request, exc: HTTPException) -> JSONResponse:
        return problem_response(Problem(title=str(exc.detail), status=exc.status_code, detail=str(exc.detail)))


def problem_of(exc: errors.PasserError) -> Problem:
    """An error as problem details."""
    if isinstance(exc, errors.SigningRefused):
        status, title = SIGNING[exc.reason]
        return Problem(type=f"urn:passer:signing:{exc.reason}", title=title, status=status, detail=exc.message)
    status, title = next((status, title) for kind, status, title in STATUS if isinstance(exc, kind))
    found: tuple[FieldProblem, ...] = ()
    if isinstance(exc, errors.InputError):
        found = tuple(FieldProblem(message=p.message, field=p.field, row=p.row) for p in exc.problems)
        if exc.field and not found:
            found = (FieldProblem(message=exc.message, field=exc.field),)
    return Problem(title=title, status=status, detail=exc.message, errors=found)


def _field_problem(error: Any) -> FieldProblem:
    # The first part says only that it was in the body, query or path; discriminator tags are no fields of the form.
    path = [str(part) for part in error["loc"][1:] if part not in ("normal", "score", "none", "published-score")]
    message = str(error["msg"]).removeprefix("Value error, ")
    return FieldProblem(message=message, field=".".join(path) or None)
