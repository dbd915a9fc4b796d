"""manifest.json, entry.json and single lines, read strictly: the value, or the first problem."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from passer.domain.base import canonical_json
from passer.domain.canonical import NotCanonical, is_too_deep, read_canonical

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Violation:
    """One problem with its position."""

    detail: str
    """One sentence."""
    field: str | None = None
    """Path in a JSON member."""
    number: int | None = None
    """Number of a question."""


@dataclass(frozen=True)
class ReadMember(Generic[T]):
    """A JSON document."""

    content: bytes
    json: Any = None
    """Its value as JSON; None where it is not canonical."""
    value: T | None = None
    """The same as a model; None where it does not fit."""
    violation: Violation | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of its bytes, in hex."""
        return hashlib.sha256(self.content).hexdigest()


def read_document(model: type[T], content: bytes) -> ReadMember[T]:
    """Read a canonical document that has every member of the model and no other.

    Writing the model again shows what validation forgives: a member left out that has a default.
    """
    # A valid document is parsed once. Any other is parsed again as JSON, to say what is wrong with it.
    with suppress(ValueError, RecursionError):
        read = model.model_validate_json(content, strict=True)
        value = read.model_dump(mode="json")
        if canonical_json(value) == content and not is_too_deep(content, value):
            return ReadMember(content, value, read)
    try:
        value = read_canonical(content)
    except NotCanonical as exc:
        return ReadMember(content, violation=Violation(str(exc)))
    try:
        # Strict: validation would otherwise accept "1" for 1, and two different documents would be the same value.
        read = model.model_validate_json(content, strict=True)
    except ValidationError as exc:
        return ReadMember(content, value, violation=_first_error(exc, value))
    # Validation fills in defaults, so that a document without a member would pass as the one with it.
    if read.model_dump(mode="json") != value:
        return ReadMember(content, value, violation=Violation("A member is missing."))
    return ReadMember(content, value, read)


def _first_error(error: ValidationError, value: Any) -> Violation:
    """Return pydantic's first error; its path without the names of union members, which documents do not contain."""
    first = error.errors(include_url=False, include_context=False)[0]
    path, at = "", value
    for part in first["loc"]:
        if isinstance(at, dict) and part in at:
            path, at = f"{path}.{part}", at[part]
        elif isinstance(at, list) and isinstance(part, int):
            path, at = f"{path}[{part}]", at[part]
    if first["type"] == "missing":
        path = f"{path}.{first['loc'][-1]}"
    message = str(first["msg"]).removeprefix("Value error, ")
    return Violation(f"It is not valid: {message}.", field=path.removeprefix(".") or None)
