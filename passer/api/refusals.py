"""Refusals that an operation can answer with, for the description of the HTTP interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from passer.api.access import OF_RATERS
from passer.api.rules import Rule

PROBLEMS: dict[int, str] = {
    400: "The request cannot be read",
    401: "Nobody is signed in",
    403: "The caller may not do this, or the page of another site asked",
    404: "Something that the path or the body names does not exist",
    409: "It exists already, or its state does not allow this",
    413: "The upload or the request is too large",
    421: "The server does not answer under this host name",
    422: "A value is not valid; `errors` names the fields or rows",
    429: "Too many attempts to sign in; `Retry-After` states the seconds to wait",
    500: "An unexpected error, which the server's log describes",
    502: "A model server failed",
    503: "A part is not available, or too many requests wait",
}
"""Statuses of refusals; each is a problem document (RFC 9457)."""
_EVERYWHERE = (403, 421, 500, 503)
"""Refusals of the guard and the limiter, and failures of the database: no operation is without them."""
_SIGN_IN = "/api/v1/session"
_LEDGER = "/api/v1/ledger"
_SEARCH = "/collections/{name}/passages"


def refusals_of(operation: Mapping[str, Any], method: str, path: str, rule: Rule) -> list[int]:
    """Return the statuses in ascending order; `operation` is that of the description, with its parameters and body."""
    return sorted({*_EVERYWHERE, *_of_caller(method, path, rule), *_of_input(operation, method, path, rule)})


def _of_caller(method: str, path: str, rule: Rule) -> Iterator[int]:
    """Yield what depends on who asks: roles, and attempts to sign in."""
    tries = path.startswith(_SIGN_IN) and method in ("post", "put")
    if rule.role or tries:
        yield 401
    if tries:
        yield 429


def _of_input(operation: Mapping[str, Any], method: str, path: str, rule: Rule) -> Iterator[int]:
    """Yield what depends on names, values, body, and the state of what is named."""
    body = operation.get("requestBody")
    in_project = rule.role is not None and rule.reach == "project"
    # The path of a project may name one that does not exist; a way to sign in may not be set up.
    if in_project or "{" in path or path.startswith((OF_RATERS, _SIGN_IN)):
        yield 404
    if body or operation.get("parameters"):
        yield 422
    if body:
        # The first is for bytes that are neither UTF-8 nor a form; JSON with another mistake is 422.
        yield from (400, 413)
    if method != "get" or rule.is_costly or "{" in path or path.startswith(_LEDGER):
        yield 409
    # Viewers ask no model, and reading asks one only where researchers read; a search may have a question embedded.
    asks = rule.role == "researcher" or (rule.role == "admin" and method != "get")
    if (in_project and asks and method != "delete") or path.endswith(_SEARCH):
        # The first is for errors without a status of their own, such as a refusal of the ledger.
        yield from (400, 502)
