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
from passer.api.language import language_of
from passer.domain.base import Frozen
from passer.domain.retrieval.error_places import place_of
from passer.domain.wording.sentence import LocalizedText, reading, sentence
from passer.domain.wording.validation_message import validation_message

log = logging.getLogger(__name__)

STATUS: tuple[tuple[type[errors.PasserError], int, str], ...] = (
    (errors.TooLargeError, 413, "too-large"),
    (errors.InputError, 422, "not-accepted"),
    (errors.NotFoundError, 404, "not-found"),
    (errors.ModelNotFoundError, 422, "model-not-found"),
    (errors.ConflictError, 409, "conflict"),
    (errors.UnavailableError, 503, "unavailable"),
    (errors.GenerationError, 502, "generation-failed"),
    (errors.SignInNeeded, 401, "sign-in-needed"),
    (errors.RoleTooLow, 403, "not-allowed"),
    (errors.TooManyAttempts, 429, "too-many-attempts"),
    (errors.PasserError, 400, "refused"),
)
"""Status and kind; the first match wins."""
HEADERS: dict[type[errors.PasserError], dict[str, str]] = {
    errors.QueueFull: {"Retry-After": "60"},
    errors.TooManyAttempts: {"Retry-After": "900"},
    errors.SignInNeeded: {"WWW-Authenticate": "Bearer"},
}
SIGNING: dict[errors.SigningReason, int] = {
    "no-chain": 409,
    "signs-itself": 409,
    "nothing-waits": 409,
    "held": 409,
    "signed-already": 409,
    "expired": 409,
    "given-up": 409,
    "other-account": 403,
    "foreign-key": 403,
    "missing-signature": 403,
    "malformed-signature": 422,
    "unknown-transaction": 404,
    "kept": 503,
}
"""Status by the reason, which is the end of the problem's type and names its kind."""

_NO_FILE = "Expected UploadFile"
"""Part of the framework's message for a text in the place of a file."""


class FieldProblem(Frozen):
    """One problem of a request."""

    message: LocalizedText
    """One sentence."""
    field: str | None = None
    """Path of the field, with dots."""
    row: int | None = None
    """Row of the file, from 1."""


class Problem(Frozen):
    """RFC 9457 problem details."""

    type: str = "about:blank"
    """Kind of problem: `urn:passer:` and a code that does not depend on the language, such as `not-found`."""
    title: LocalizedText
    """The kind in words, in the reader's language."""
    status: int
    """HTTP status."""
    detail: LocalizedText
    """Cause and what to do, in one or two sentences."""
    errors: tuple[FieldProblem, ...] = Field(default=())
    """Fields or rows that are wrong."""


def kind_of(kind: str) -> str:
    """Return the title of a kind of problem."""
    return sentence(f"kind.{kind}")


def problem_response(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return a problem as an HTTP response."""
    return JSONResponse(problem.model_dump(mode="json"), problem.status, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Turn every error of the application into problem details."""

    @app.exception_handler(errors.PasserError)
    def _passer(_: Request, exc: errors.PasserError) -> JSONResponse:
        return problem_response(problem_of(exc), HEADERS.get(type(exc)))

    @app.exception_handler(RequestValidationError)
    def _validation(_: Request, exc: RequestValidationError) -> JSONResponse:
        found = tuple(_field_problem(error) for error in exc.errors())
        first = found[0] if found else FieldProblem(message=sentence("problem.invalid"))
        said = (
            sentence("problem.field", field=first.field, problem=first.message)
            if first.field
            else sentence("problem.value", problem=first.message)
        )
        return problem_response(refusal("not-accepted", 422, said, found))

    @app.exception_handler(Exception)
    def _unexpected(request: Request, exc: Exception) -> JSONResponse:
        log.error("%s %s failed", request.method, request.url.path, exc_info=exc)
        # This is answered outside of the middleware that knows the reader's language.
        with reading(language_of(request.url.query, request.headers.get("accept-language", ""))):
            return problem_response(UNEXPECTED)

    @app.exception_handler(HTTPException)
    def _http(_: Request, exc: HTTPException) -> JSONResponse:
        kind = next((kind for _, status, kind in STATUS if status == exc.status_code), "refused")
        # The framework refuses bodies in words of its own, some of them without a cause.
        detail = sentence("problem.body") if exc.status_code == 400 else exc.detail
        problem = refusal(kind, exc.status_code, detail)
        return problem_response(problem, dict(exc.headers or {}))


def refusal(kind: str, status: int, detail: str, found: tuple[FieldProblem, ...] = ()) -> Problem:
    """Return a problem of a kind that the catalogue names."""
    return Problem(type=f"urn:passer:{kind}", title=kind_of(kind), status=status, detail=detail, errors=found)


UNEXPECTED = refusal("error", 500, sentence("problem.unexpected"))
"""Response to an unexpected error."""


def problem_of(exc: errors.PasserError) -> Problem:
    """Return an error as problem details (RFC 9457)."""
    if isinstance(exc, errors.SigningRefused):
        return Problem(
            type=f"urn:passer:signing:{exc.reason}",
            title=kind_of(exc.reason),
            status=SIGNING[exc.reason],
            detail=exc.message,
        )
    status, kind = next((status, kind) for error, status, kind in STATUS if isinstance(exc, error))
    found: tuple[FieldProblem, ...] = ()
    if isinstance(exc, errors.InputError):
        found = tuple(FieldProblem(message=p.message, field=p.field, row=p.row) for p in exc.problems)
        if exc.field and not found:
            found = (FieldProblem(message=exc.message, field=exc.field),)
    return refusal(kind, status, exc.message, found)


def _field_problem(error: Any) -> FieldProblem:
    where, *place = error["loc"]
    if error["type"] == "json_invalid" and isinstance(place[-1], int):
        # FastAPI states the place in the body instead of a field.
        return FieldProblem(message=sentence("misfit.body-no-json", at=place[-1] + 1, error=error["ctx"]["error"]))
    if not place and where == "body" and isinstance(error.get("input"), bytes):
        return FieldProblem(message=sentence("misfit.body-untyped"))
    said = sentence("misfit.no-file") if _NO_FILE in error["msg"] else validation_message(error)
    return FieldProblem(message=said, field=".".join(place_of(place)) or None)
