"""Processes of local models: started with the first request, shared, ended when idle or with PaSSER."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, Timer
from typing import NamedTuple

from passer.adapters.child_process import child_environment
from passer.adapters.generators.local.gguf import Weights
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GeneratorUnavailable

IDLE_S = 300.0
"""Seconds for which a process without requests is kept."""
LOADS_WITHIN_S = 600.0
ENDS_WITHIN_S = 5.0
# -P: no module is taken from the working directory, which may hold anything.
COMMAND = (sys.executable, "-P", "-m", "passer.adapters.generators.local.child")
_WORKSPACE = 256 * 1024 * 1024
"""Memory for computing, in addition to weights and context: llama.cpp's buffers for a batch of 512."""
_GROUP = Path("/sys/fs/cgroup")
"""Limits of the container."""


class ServedModel(NamedTuple):
    """Model of a process; another window or number of slots is another process."""

    path: Path
    num_ctx: int
    """Tokens of each slot."""
    slots: int
    """Requests at a time."""


class ModelProcess:
    """One running llama.cpp server on a loopback port, protected by a random key."""

    def __init__(self, served: ServedModel, *, threads: int) -> None:
        self.key = secrets.token_hex(16)
        self.in_use = 0
        self.timer: Timer | None = None
        self._name = served.path.name
        # A file, not a pipe: nobody reads it while the model runs, and a full pipe would stop llama.cpp.
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        # llama.cpp's threads spin while they wait for each other. Beside the scoring encoder, or anything else that
        # computes, that makes a token a hundred times slower (measured: 130 s instead of .4 s for 40 tokens).
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=child_environment(OMP_WAIT_POLICY="passive"),
        )
        settings = {"path": str(served.path), "num_ctx": served.num_ctx, "slots": served.slots}
        self.url = self._address({**settings, "threads": threads, "key": self.key})

    @property
    def pid(self) -> int:
        """Id of the process."""
        return self._process.pid

    def is_alive(self, *, wait_s: float = 0.0) -> bool:
        """Return whether the process runs; wait `wait_s` for one that is ending."""
        try:
            self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return True
        return False

    def crash(self) -> GeneratorUnavailable:
        """Return the error that states how the process ended."""
        return GeneratorUnavailable(sentence("local.crashed", model=self._name, said=self._exit_message()))

    def end(self) -> None:
        """End the process; kill it if it does not end by itself."""
        if self._process.stdin:
            self._process.stdin.close()
        if self.is_alive(wait_s=ENDS_WITHIN_S):
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._log.close()

    def _address(self, settings: dict[str, object]) -> str:
        """Send the settings, wait for the model to be loaded, and return the address."""
        assert self._process.stdin, "opened as a pipe"
        assert self._process.stdout, "opened as a pipe"
        # Reading a line has no limit of time, and a process may hang while it loads.
        watchdog = Timer(LOADS_WITHIN_S, self._process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            self._process.stdin.write(json.dumps(settings) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        finally:
            watchdog.cancel()
        if not line:
            self.is_alive(wait_s=ENDS_WITHIN_S)
            said, status = self._exit_message(), self._process.returncode
            self.end()
            failure = sentence("local.not-loaded", model=self._name, said=said)
            # A process that gave up by itself gives up on this file again; one that was killed may have room later.
            raise ConfigError(failure, field="model") if status > 0 else GeneratorUnavailable(failure)
        return str(json.loads(line)["url"])

    def _exit_message(self) -> str:
        """Return how the process ended, and the last line that it logged."""
        status = self._process.poll()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        last = next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "")
        return f"exit status {status}" + (f": {last[:200]}" if last else "")


class ModelProcesses:
    """The processes of one PaSSER, by what they serve."""

    def __init__(
        self,
        *,
        threads: int,
        available: Callable[[], int | None],
        total: Callable[[], int | None] = lambda: None,
        idle_s: float = IDLE_S,
    ) -> None:
        self._threads, self._available, self._idle_s = threads, available, idle_s
        self._total = total
        self._lock = Lock()
        self._running: dict[ServedModel, ModelProcess] = {}
        self._closed = False

    @contextmanager
    def lent(self, served: ServedModel, weights: Weights) -> Iterator[ModelProcess]:
        """Lend the process of a model, started if need be; ConfigError if it does not fit into memory."""
        # Loading is under the lock too: requests that arrive meanwhile want the same process, not another one.
        with self._lock:
            process = self._running.get(served)
            if process is not None and not process.is_alive():
                self._running.pop(served).end()
                process = None
            if process is None:
                process = self._started(served, weights)
            if process.timer:
                process.timer.cancel()
            process.in_use += 1
        try:
            yield process
        finally:
            self._give_back(served, process)

    def check_size(self, weights: Weights) -> None:
        """Refuse weights that this machine can never load, with the sizes: ConfigError."""
        total = self._total()
        if total is not None and weights.size_bytes + _WORKSPACE > total:
            sizes = {"weights": round(weights.size_bytes / 1e6), "total": round(total / 1e6)}
            raise ConfigError(sentence("local.never-fits", model=weights.name, **sizes), field="model")

    def pids(self, path: Path | None = None) -> list[int]:
        """Return the ids of the running processes, or of those that serve this file."""
        with self._lock:
            return [process.pid for served, process in self._running.items() if path in (None, served.path)]

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            for process in self._running.values():
                if process.timer:
                    process.timer.cancel()
                process.end()
            self._running.clear()

    def _started(self, served: ServedModel, weights: Weights) -> ModelProcess:
        if self._closed:
            raise GeneratorUnavailable(sentence("local.closed"))
        if _lacks(served, weights, self._available()):
            self._end_idle()
        free = self._available()
        if free is not None and _lacks(served, weights, free):
            raise ConfigError(_too_large(served, weights, free), field="model")
        process = ModelProcess(served, threads=self._threads)
        self._running[served] = process
        return process

    def _give_back(self, served: ServedModel, process: ModelProcess) -> None:
        with self._lock:
            process.in_use -= 1
            if not process.in_use and not self._closed:
                process.timer = Timer(self._idle_s, self._end_if_idle, (served, process))
                process.timer.daemon = True
                process.timer.start()

    def _end_if_idle(self, served: ServedModel, process: ModelProcess) -> None:
        with self._lock:
            if not process.in_use and self._running.get(served) is process:
                self._running.pop(served).end()

    def _end_idle(self) -> None:
        for served in [served for served, process in self._running.items() if not process.in_use]:
            self._running.pop(served).end()


def total_bytes() -> int | None:
    """Return the memory of this machine, or the container's limit if that is less; None if unknown."""
    try:
        limit = (_GROUP / "memory.max").read_text().strip()
    except OSError:
        limit = "max"
    found = [_of_machine("MemTotal"), None if limit == "max" else int(limit)]
    return min((each for each in found if each is not None), default=None)


def available_bytes() -> int | None:
    """Return the memory that can be used without swapping, within the container's limit; None if unknown."""
    found = [_of_machine("MemAvailable"), _free_of_container()]
    known = [each for each in found if each is not None]
    return min(known, default=None)


def _needs(served: ServedModel, weights: Weights) -> int:
    return weights.size_bytes + _cache_bytes(served, weights) + _WORKSPACE


def _cache_bytes(served: ServedModel, weights: Weights) -> int:
    return weights.cache_bytes_per_token * served.num_ctx * served.slots


def _lacks(served: ServedModel, weights: Weights, free: int | None) -> bool:
    return free is not None and _needs(served, weights) > free


def _too_large(served: ServedModel, weights: Weights, free: int) -> str:
    return sentence(
        "local.too-large",
        model=weights.name,
        needed=round(_needs(served, weights) / 1e6),
        weights=round(weights.size_bytes / 1e6),
        cache=round(_cache_bytes(served, weights) / 1e6),
        slots=served.slots,
        num_ctx=served.num_ctx,
        free=round(free / 1e6),
    )


def _of_machine(what: str) -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    sizes = dict(line.split(":", 1) for line in lines if ":" in line)
    known = sizes.get(what, "").split()
    return int(known[0]) * 1024 if known else None


def _free_of_container() -> int | None:
    """Return the free memory by control groups version 2; the page cache, which shrinks by itself, counts as free."""
    try:
        limit = (_GROUP / "memory.max").read_text().strip()
        used = int((_GROUP / "memory.current").read_text())
        cached = dict(line.split() for line in (_GROUP / "memory.stat").read_text().splitlines())
    except (OSError, ValueError):
        return None
    return None if limit == "max" else int(limit) - used + int(cached.get("inactive_file", 0))
