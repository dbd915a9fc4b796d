"""Child processes that read untrusted files: a file may use all memory, never end, or crash its parser.

The kernel limits the memory and processor time of a child (child.py); the parent checks its elapsed time and resident
memory, and kills it. The size of the result is limited in the child, so that a small file cannot become a large result
in the parent.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from threading import BoundedSemaphore, Lock
from typing import Any, NoReturn, TypeVar

from passer.adapters.child_process import child_environment
from passer.adapters.reading.child import MEMORY
from passer.adapters.reading.limits import ReaderLimits
from passer.adapters.surroundings import resident_memory
from passer.domain.cancellation import raise_if_cancelled
from passer.domain.wording.sentence import sentence
from passer.errors import EngineUnavailable, InputError, PasserError, TooLargeError

T = TypeVar("T")

_BEGIN = "from passer.adapters.reading.child import serve; serve()"
_STARTED_WITHIN_S = 60.0
_LOOK_EVERY_S = 0.05
_ASK_EVERY_S = 0.5
"""Seconds between two checks whether the work was cancelled: each one reads and writes its row."""
_CPU, _WALL = "cpu", "wall"


class ReaderPool:
    """Reads in other processes, a few at a time. Thread-safe."""

    def __init__(self, limits: ReaderLimits | None = None, *, processes: int = 2, files: int = 200) -> None:
        """Start without a process. Each process reads this many `files`, so that leaks of parsers stay limited."""
        self.limits = limits or ReaderLimits()
        self._files = files
        self._slots = BoundedSemaphore(processes)
        self._lock = Lock()
        self._idle: list[_Child] = []

    def call(self, read: Callable[..., T], *arguments: Any, name: str) -> T:
        """Return `read(*arguments)`; TooLargeError or InputError with the file's name where a limit ended it.

        `read` and its arguments are pickled: a function, or a method of a reader, that another process can import.
        Work that is cancelled meanwhile ends its process at once: a hostile file must not keep one of two from others.
        """
        while not self._slots.acquire(timeout=_ASK_EVERY_S):
            raise_if_cancelled()
        try:
            child = self._child()
            try:
                found = child.ask(read, arguments, name=name)
            except BaseException:
                child.end()
                raise
            self._keep(child)
        finally:
            self._slots.release()
        if isinstance(found, PasserError):
            raise found
        return found  # type: ignore[no-any-return]  # what crosses a pipe has no type

    def close(self) -> None:
        """End the processes; a later call begins new ones."""
        with self._lock:
            idle, self._idle = self._idle, []
        for child in idle:
            child.end()

    def _child(self) -> _Child:
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.is_alive:
                    return child
                child.end()
        return _Child(self.limits)

    def _keep(self, child: _Child) -> None:
        if child.files >= self._files:
            child.end()
            return
        with self._lock:
            self._idle.append(child)


class _Child:
    """One process and the pipe to it."""

    def __init__(self, limits: ReaderLimits) -> None:
        self._limits, self.files = limits, 0
        self._pipe, theirs = Pipe()
        # Not multiprocessing's own start: it would run the program's main module again in each child.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BEGIN, str(theirs.fileno()), json.dumps(vars(limits))],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            # No thread pools of libraries; and Arrow's own allocator reserves a gigabyte at once.
            env=child_environment(OMP_NUM_THREADS="1", ARROW_DEFAULT_MEMORY_POOL="system"),
        )
        theirs.close()

    @property
    def is_alive(self) -> bool:
        """Return whether the process can read another file."""
        return self._process.poll() is None

    def ask(self, read: Callable[..., Any], arguments: tuple[Any, ...], *, name: str) -> Any:
        """Return what was read, or the reader's refusal as a value."""
        peak = 0.0
        try:
            if not self.files and not (self._pipe.poll(_STARTED_WITHIN_S) and self._pipe.recv()):
                raise EngineUnavailable(sentence("reader.not-started"))
            self.files += 1
            before = self._resident_mb()
            self._pipe.send((read, arguments))
            until = time.monotonic() + self._limits.wall_s
            ask_at = time.monotonic() + _ASK_EVERY_S
            while not self._pipe.poll(_LOOK_EVERY_S):
                peak = max(peak, self._resident_mb() - before)
                if peak > self._limits.memory_mb:
                    self._refuse(MEMORY, name)
                if time.monotonic() > until:
                    self._refuse(_WALL, name)
                if time.monotonic() > ask_at:
                    raise_if_cancelled()
                    ask_at = time.monotonic() + _ASK_EVERY_S
            problem, value = self._pipe.recv()
        except (EOFError, OSError):
            self._refuse(self._cause_of_death(peak), name)
        if problem is not None:
            self._refuse(problem, name)
        return value

    def end(self) -> None:
        """Kill the process; it has no state to save."""
        self._pipe.close()
        self._process.kill()
        self._process.wait()

    def _cause_of_death(self, peak: float) -> str:
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(1.0)
            if status == -signal.SIGXCPU:
                return _CPU
        # A C library without memory often ends the process; use of half the limit distinguishes this from a crash.
        return MEMORY if peak > self._limits.memory_mb / 2 else "crashed"

    def _refuse(self, problem: str, name: str) -> NoReturn:
        limits = self._limits
        match problem:
            case "memory":
                raise TooLargeError(sentence("reader.memory", name=name, most=limits.memory_mb))
            case "cpu" | "wall":
                seconds = limits.cpu_s if problem == _CPU else int(limits.wall_s)
                raise TooLargeError(sentence("reader.time", name=name, seconds=seconds))
            case "output":
                raise TooLargeError(
                    sentence("reader.output", name=name, characters=limits.characters, cells=limits.cells)
                )
        raise InputError(sentence("reader.crashed", name=name))

    def _resident_mb(self) -> float:
        """Return the resident memory in MB; 0 if the system does not report it."""
        return (resident_memory(self._process.pid) or 0) / 2**20
