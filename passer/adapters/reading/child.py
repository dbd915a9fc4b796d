"""The process that reads: one file at a time, under limits that the kernel keeps."""

from __future__ import annotations

import json
import resource
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from passer.adapters.reading.limits import ReaderLimits, is_too_much
from passer.errors import PasserError

READY = "ready"
MEMORY, OUTPUT, CRASHED = "memory", "output", "crashed"
"""Limits and failures that the child itself notices."""


def serve() -> None:
    """Read what the parent sends, until it closes the pipe. Arguments: descriptor of the pipe, limits as JSON."""
    pipe, limits = Connection(int(sys.argv[1])), ReaderLimits(**json.loads(sys.argv[2]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _no_core_file()
    pipe.send(READY)
    with suppress(EOFError, OSError):
        while True:
            read, arguments = pipe.recv()
            # Again for each file: processor time adds up, and libraries that were loaded since count as data.
            _limit(limits)
            pipe.send(_answer(read, arguments, limits))


def _answer(read: Any, arguments: tuple[Any, ...], limits: ReaderLimits) -> tuple[str | None, Any]:
    """Return (None, what was read or the reader's own refusal) or (what went wrong, None)."""
    try:
        found = read(*arguments)
        return (OUTPUT, None) if is_too_much(found, limits) else (None, found)
    except PasserError as exc:
        return None, exc
    except MemoryError:
        return MEMORY, None
    except RecursionError:
        return CRASHED, None
    except Exception as exc:
        # A parser that runs out of memory in C reports it in its own words.
        return (MEMORY if _is_full(limits) else CRASHED), f"{type(exc).__name__}: {exc}"[:200]


def _limit(limits: ReaderLimits) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + 1 + limits.cpu_s
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))
    # Pages of data, not addresses: libraries reserve far more addresses than they use.
    most = _data_kb() * 1024 + limits.memory_mb * 2**20
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _is_full(limits: ReaderLimits) -> bool:
    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return 0 < soft < (_data_kb() + limits.memory_mb * 256) * 1024


def _data_kb() -> int:
    """Return the size of this process's data in kB; 0 if the system does not report it."""
    with suppress(OSError, ValueError, StopIteration), Path("/proc/self/status").open(encoding="ascii") as status:
        return int(next(line for line in status if line.startswith("VmData")).split()[1])
    return 0


def _no_core_file() -> None:
    # A crash must not write the file's contents to disk.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
