"""Files that a command or a program names: read with a plain error, written completely or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import IO

from passer.errors import InputError


def read_file(path: Path, *, field: str | None = None) -> bytes:
    """Return the content of a file; InputError gives the reason why it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as exc:
        raise InputError(f"{path} cannot be read ({exc.strerror}). Check the path.", field=field) from exc


def write_file(output: Path, content: IO[bytes]) -> None:
    """Write a file completely or not at all, and create its folder if needed; InputError if that fails."""
    partial = output.with_name(f".{output.name}.part")
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            shutil.copyfileobj(content, stream)
        partial.replace(output)
    except OSError as exc:
        partial.unlink(missing_ok=True)
        raise InputError(f"{output} cannot be written ({exc.strerror}). Choose another file.") from exc


def check_output(output: Path) -> None:
    """Raise InputError for a file that could not be written, before the work for it begins."""
    folder = next((each for each in output.absolute().parents if each.exists()), Path("/"))
    if output.is_dir():
        found = errno.EISDIR
    elif not folder.is_dir():
        found = errno.ENOTDIR
    elif not os.access(folder, os.W_OK | os.X_OK):
        found = errno.EACCES
    else:
        return
    raise InputError(f"{output} cannot be written ({os.strerror(found)}). Choose another file.")
