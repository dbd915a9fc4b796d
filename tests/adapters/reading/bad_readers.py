"""Readers that misbehave, for the child process to import."""

from __future__ import annotations

import os
import time
from pathlib import Path

from passer.errors import DocumentError

KEPT: list[bytes] = []


def echo(value):
    return value


def pid() -> int:
    return os.getpid()


def take_memory(megabytes: int) -> int:
    KEPT.extend(bytearray(2**20) for _ in range(megabytes))
    return len(KEPT)


def spin() -> None:
    while True:
        pass


def meet(mine: str, other: str) -> str:
    """Return once another process has come to the other place: never, where one file waits for the one before."""
    Path(mine).touch()
    while not Path(other).exists():
        time.sleep(0.02)
    return mine


def sleep() -> None:
    time.sleep(600)


def crash() -> None:
    os.abort()


def refuse() -> None:
    raise DocumentError("x.pdf is encrypted: save it without a password.")


def fail() -> None:
    raise ZeroDivisionError("in the parser")


def variable(name: str) -> str | None:
    return os.environ.get(name)
