"""Files that commands read and write."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from passer.adapters.caller_files import read_file
from passer.adapters.caller_files import write_file as write_quietly
from passer.cli.output import note

__all__ = ["read_file", "write_file"]


def write_file(output: Path, content: IO[bytes]) -> None:
    """Write a file completely or not at all, and say so; InputError if that fails."""
    write_quietly(output, content)
    note(f"Wrote {output}.")
