"""Files that commands read and write."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from passer.adapters.caller_files import check_output, read_file
from passer.adapters.caller_files import write_file as write_quietly
from passer.cli.output import note
from passer.errors import InputError

__all__ = ["check_output", "read_file", "read_text", "write_file"]


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
