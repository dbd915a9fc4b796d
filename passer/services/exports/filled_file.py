"""Temporary files that are handed to the caller."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import IO, BinaryIO


def filled(write: Callable[[BinaryIO], object]) -> IO[bytes]:
    """Return a temporary file with what `write` wrote, at its start; the caller closes it. Closed if `write` fails."""
    stream = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
    try:
        write(stream)
        stream.seek(0)
    except BaseException:
        stream.close()
        raise
    return stream
