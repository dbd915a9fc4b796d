"""Validation of command-line input by the model that it becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from passer.errors import ConfigError, InputError, Problem

if TYPE_CHECKING:
    from pydantic import BaseModel

M = TypeVar("M", bound="BaseModel")
# Set by the command itself: depending on its version, Typer uses Click or a copy of it, each with a context of its own.
PARAMETERS: ContextVar[Sequence[Any]] = ContextVar("PARAMETERS", default=())
"""Options and arguments of the running command."""
_OPTIONS = {
    "axes.min_similarity": "thresholds",
    "axes.retrieval": "cut",
    "baseline": "baseline_k",
    "target": "some_id",
    "windows": "num_ctx_of",
    "stability.alpha": "tcps_alpha",
    "stability.beta": "tcps_beta",
}
"""Names of parameters by the beginning of a field, where the two differ."""


def checked(model: type[M], given: Mapping[str, Any]) -> M:
    """Return the validated value; ConfigError names every invalid option."""
    from pydantic import ValidationError

    from passer.domain.retrieval.error_places import place_of
    from passer.domain.wording.validation_message import validation_message

    try:
        return model.model_validate(given)
    except ValidationError as exc:
        problems = tuple(
            _problem(validation_message(error), ".".join(place_of(error["loc"]))) for error in exc.errors()
        )
        raise ConfigError(problems[0].message, field=problems[0].field, problems=problems[1:]) from exc


def _problem(message: str, field: str) -> Problem:
    """Return a problem under the name that the user typed, or that of the field if no option gives it."""
    name = _option(field) or field
    said = f"{name}: {message}." if name else f"{message[:1].upper()}{message[1:]}."
    return Problem(message=said, field=field or None)


def _option(field: str) -> str | None:
    """Return the option of the running command that gives a field, such as `--k` for `axes.k.0`."""
    given = {each.name: each for each in PARAMETERS.get()}
    parts = [part for part in field.split(".") if not part.isdecimal()]
    for place, part in enumerate(parts):
        known = given.get(_OPTIONS.get(".".join(parts[: place + 1]), part))
        if known is not None:
            return str(known.opts[0] if known.param_type_name == "option" else known.human_readable_name.upper())
    return None


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
