"""The one base of every value in PaSSER: frozen, closed, the same inside and at the edge."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any

import rfc8785
from pydantic import BaseModel, ConfigDict, Field


class Frozen(BaseModel):
    """An immutable value. Unknown fields are errors; NaN and infinity are not numbers."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True, populate_by_name=True
    )


Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""A number of things, or a place among them: an integer that every JSON reader holds exactly."""


def canonical_json(value: Any) -> bytes:
    """RFC 8785 (JCS) bytes of a JSON value: the only form that is ever hashed."""
    return rfc8785.dumps(value)


def digest_of(value: Any) -> str:
    """SHA-256, in hex, of a value's canonical JSON; a `Frozen` is taken in JSON mode."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return hashlib.sha256(canonical_json(plain)).hexdigest()


def shown_address(url: str) -> str:
    """An address without the user name and password that may stand in it: for messages, answers and logs.

    Of several, separated by commas, each.
    """
    if "," in url:
        return ",".join(map(shown_address, url.split(",")))
    head, found, tail = url.partition("://")
    host, slash, path = tail.partition("/")
    return f"{head}{found}{host.rpartition('@')[2]}{slash}{path}"
