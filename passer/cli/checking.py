"""Validation of command-line input by the model that it becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from passer.errors import ConfigError, InputError, Problem

if TYPE_CHECKING:
    from pydantic import BaseModel

M = TypeVar("M", bound="BaseModel")


def checked(model: type[M], given: Mapping[str, Any]) -> M:
    """Return the validated value; ConfigError names every invalid field."""
    from pydantic import ValidationError

    from passer.domain.retrieval.error_places import place_of
    from passer.domain.wording.validation_message import validation_message

    try:
        return model.model_validate(given)
    except ValidationError as exc:
        problems = tuple(
            Problem(message=validation_message(error), field=".".join(place_of(error["loc"])) or None)
            for error in exc.errors()
        )
        first = problems[0]
        said = f"{first.field}: {first.message}" if first.field else first.message[:1].upper() + first.message[1:]
        raise ConfigError(f"{said}.", field=first.field, problems=problems[1:]) from exc


def parse_head(text: str | None, *, printed_by: str) -> tuple[int, str] | None:
    """Parse the number and digest of a row as given by the option --head; None without the option."""
    if text is None:
        return None
    parts = re.fullmatch(r"([1-9][0-9]{0,9}):([0-9a-f]{64})", text)
    if parts is None:
        raise InputError(
            f"--head must be NUMBER:DIGEST: the number and the digest that `{printed_by}` prints.", field="head"
        )
    return int(parts[1]), parts[2]
