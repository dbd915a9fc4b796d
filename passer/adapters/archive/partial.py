"""Files and folders under construction. One whose process was killed is recognised by its free lock, and removed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SUFFIX = ".passer-partial"
"""Suffix of files and folders that are being written."""


@contextmanager
def partial_folder(beside: Path, *, of: str) -> Iterator[Path]:
    """Yield a new folder on the same disk, deleted afterwards unless it was renamed; `of` is the name of the result."""
    folder = Path(tempfile.mkdtemp(dir=beside, prefix=f".{of}-", suffix=SUFFIX))
    with _held(folder):
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def remove_forgotten(folder: Path) -> None:
    """Delete unfinished folders of killed processes; those that another process is writing stay."""
    for path in folder.glob(f".*{SUFFIX}"):
        with suppress(OSError), _held(path):
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the lock of a folder in the block or until the process dies; BlockingIOError if another process has it."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
