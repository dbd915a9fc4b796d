"""Files and other input of commands, which the models that they become check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from passer.adapters.caller_files import check_output, read_file
from passer.adapters.caller_files import write_file as write_quietly
from passer.cli.output import note
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


__all__ = ["ColumnOption", "check_output", "named_columns", "read_file", "read_text", "write_file"]

ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="NAME=COLUMN", help="Column of the file to read under this name. Repeatable."),
]


def named_columns(given: Sequence[str] | None) -> dict[str, str]:
    """Return the columns that options NAME=COLUMN give; InputError for another form."""
    named = [each.partition("=")[::2] for each in given or ()]
    if any(not of or not found for of, found in named):
        raise InputError("A column is given as NAME=COLUMN, such as reference=answer.", field="column")
    return dict(named)


def read_text(path: Path) -> str:
    """Read a text file; InputError if it cannot be read or is not UTF-8."""
    try:
        return read_file(path).decode("utf-8")
    except UnicodeDecodeError as exc:
        raise InputError(f"{path} is not a text file in UTF-8. Choose another file.") from exc


def write_file(output: Path, content: IO[bytes]) -> None:
    """Write a file completely or not at all, and say so; InputError if that fails."""
    write_quietly(output, content)
    note(f"Wrote {output}.")
