"""Errors of pydantic as sentences in the reader's language: the one place that reads its texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passer.domain.wording.catalogue import catalogue
from passer.domain.wording.sentence import Sentence, sentence


def validation_message(error: Mapping[str, Any]) -> str:
    """Return why a value was refused, by one item of `ValidationError.errors()`, without its place and its full stop.

    A ValueError that was raised with a sentence keeps it. Types of errors that no catalogue knows stay in the English
    of pydantic.
    """
    given = error.get("ctx") or {}
    if error["type"] in ("value_error", "assertion_error"):
        own = getattr(given.get("error"), "args", ())
        if own and isinstance(own[0], Sentence) and not own[0].endswith("."):
            return own[0]
        return str(error["msg"]).removeprefix("Value error, ").removesuffix(".")
    if f"misfit.{error['type']}" not in catalogue("en"):
        return str(error["msg"])
    values = {name: _unquoted(name, value) for name, value in given.items() if isinstance(value, str | int | float)}
    return sentence(f"misfit.{error['type']}", **values | _choices(values))


def _unquoted(name: str, value: Any) -> Any:
    """Return a value of pydantic's without the quotes of Python that it puts around names of choices."""
    return value.replace("'", "") if name in ("expected", "expected_tags", "discriminator") else value


def _choices(values: Mapping[str, Any]) -> dict[str, Sentence]:
    """Return the allowed values of a field with the reader's word before the last one."""
    first, _, last = str(values.get("expected", "")).rpartition(" or ")
    return {"expected": sentence("misfit.one-of", first=first, last=last)} if first else {}
