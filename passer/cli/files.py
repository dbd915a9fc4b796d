"""Files that commands read and write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Annotated

import typer

from passer.adapters.caller_files import check_output, read_file
from passer.adapters.caller_files import write_file as write_quietly
from passer.cli.output import note
from passer.errors import InputError

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
