"""Commands of PaSSER as forks of one process that has imported it: each starts in a fraction of a second.

    python -m tests.forked SOCKET [FOLDER]

To import PaSSER takes seconds of a processor, and the tests start hundreds of its processes. What a server loads in the
background is imported too: torch and NLTK take seconds more in each that has an encoder. A fork is a process of its
own: it can be killed, has its own environment, folder and files, and ends as `python -m passer` does. Each order comes
over a connection of its own, as JSON with the process's three files beside it; the answers are its id, and in the end
its status. With a folder, a `passer` is written there that gives orders, for programs other than Python.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "passer.cli:main"
IMPORTED = (
    "chromadb",
    "sqlalchemy.dialects.sqlite",
    "passer.adapters.chroma.collections",
    "passer.adapters.encoders.bert",
    "passer.adapters.wordnet",
    "passer.api.app",
    "passer.bootstrap.pipeline",
    "passer.cli",
    "rapidfuzz",
    "safetensors.torch",
    "tokenizers",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
)
SHARED = "TEST_FORKS"
"""Environment variable with the address that all processes of a run share."""
STARTS_WITHIN_S = 120.0
LONGEST_ORDER = 1 << 20
DIES_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class Forked:
    """A forked process, as `subprocess.Popen` would give it."""

    def __init__(
        self,
        *arguments: object,
        environment: dict[str, str],
        stdout: int | IO[bytes] = 1,
        stderr: int | IO[bytes] = 2,
        runs: str = COMMAND,
        folder: Path = ROOT,
        server: str | None = None,
    ) -> None:
        self.returncode: int | None = None
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(server or _server())
        order = {"args": [str(each) for each in arguments], "env": environment, "cwd": str(folder), "runs": runs}
        files = [0, *(each if isinstance(each, int) else each.fileno() for each in (stdout, stderr))]
        socket.send_fds(self._connection, [json.dumps(order).encode()], files)
        self._connection.shutdown(socket.SHUT_WR)
        self._answers = self._connection.makefile()
        self.pid = int(self._answers.readline())

    def poll(self) -> int | None:
        """Return the status, negative for a signal; None while it runs."""
        if self.returncode is None and select.select([self._connection], [], [], 0)[0]:
            self.returncode = int(self._answers.readline())
            self._answers.close()
            self._connection.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; TimeoutExpired after so many seconds."""
        if self.returncode is None and not select.select([self._connection], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("passer", timeout or 0)
        status = self.poll()
        assert status is not None
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill -9."""
        self.send_signal(signal.SIGKILL)


class Captured(Forked):
    """A forked process whose output is kept; of a `with` statement it is killed at the end."""

    def __init__(self, *arguments: object, **given: Any) -> None:
        self._files = os.fdopen(os.memfd_create("out"), "r+b"), os.fdopen(os.memfd_create("err"), "r+b")
        out, err = self._files
        super().__init__(*arguments, stdout=out, stderr=err, **given)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end; all it wrote. Once, as its files are closed then."""
        self.wait(timeout)
        found = []
        for file in self._files:
            with file:
                file.seek(0)
                found.append(file.read().decode())
        return found[0], found[1]

    def __enter__(self) -> Captured:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()
        for file in self._files:
            file.close()


def ran(*arguments: object, timeout: float | None = None, **given: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with what `Forked` is given besides."""
    with Captured(*arguments, **given) as process:
        out, err = process.communicate(timeout)
        return subprocess.CompletedProcess(["passer", *map(str, arguments)], process.wait(), out, err)


def shim(folder: Path, server: str | None = None) -> Path:
    """Write a `passer` for the PATH of a shell, which has each command run by a fork; its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "passer"
    script.write_text(
        f"#!{sys.executable} -SE\n"
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.forked import stand_in\n"
        f"sys.exit(stand_in({server or _server()!r}))\n"
    )
    script.chmod(0o755)
    return folder


def stand_in(server: str) -> int:
    """Have a fork do what this process was started for, and pass signals on to it; its status, as a shell says it."""
    done = Forked(*sys.argv[1:], environment=dict(os.environ), folder=Path.cwd(), server=server)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda got, _: os.kill(done.pid, got))
    status = done.wait()
    return status if status >= 0 else 128 - status


@cache
def _server() -> str:
    """Where the process that forks listens: that of the whole run, or one that is started once for this process."""
    if path := os.environ.get(SHARED):
        return _wait_for(path, lambda: True)
    return _wait_for(*start())


@cache
def other_server(module: str, *given: str) -> str:
    """Start another process that forks, once for this process; where it listens."""
    return _wait_for(*start(module, *given))


def start(module: str = "tests.forked", *given: str) -> tuple[str, Callable[[], bool]]:
    """Start the process that forks, which ends with this process; where it will listen, and whether it lives."""
    folder = tempfile.TemporaryDirectory(prefix="forks-")
    path = str(Path(folder.name, "socket"))
    # numpy would start threads, which forks do not have.
    surroundings = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen([sys.executable, "-m", module, path, *given], cwd=ROOT, env=surroundings)

    def end() -> None:
        process.kill()
        process.wait()
        folder.cleanup()

    atexit.register(end)
    return path, lambda: process.poll() is None


def _wait_for(path: str, lives: Callable[[], bool]) -> str:
    until = time.monotonic() + STARTS_WITHIN_S
    while not Path(path).exists():
        if not lives() or time.monotonic() > until:
            raise AssertionError("the process that forks did not start")
        time.sleep(0.05)
    return path


def serve(path: str) -> dict[str, Any]:
    """Fork for each order. Returns in the forks alone, with their order."""
    running: dict[int, socket.socket] = {}
    woken, wakes = socket.socketpair()
    with closing(socket.socket(socket.AF_UNIX)) as listening, closing(woken), closing(wakes):
        for each in (woken, wakes):
            each.setblocking(False)
        signal.set_wakeup_fd(wakes.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        listening.bind(f"{path}-")
        listening.listen(64)
        Path(f"{path}-").rename(path)  # Whoever sees it can connect.
        while True:
            ready = select.select([listening, woken], [], [])[0]
            if woken in ready:
                woken.recv(4096)
                _tell_ends(running)
            if listening not in ready:
                continue
            connection, _ = listening.accept()
            text, files, _, _ = socket.recv_fds(connection, LONGEST_ORDER, 3)
            while part := connection.recv(LONGEST_ORDER):
                text += part
            child = os.fork()
            if child == 0:
                for each in (connection, *running.values()):
                    each.close()
                for number, file in enumerate(files):
                    os.dup2(file, number)
                    os.close(file)
                return dict(json.loads(text))
            for file in files:
                os.close(file)
            running[child] = connection
            connection.sendall(f"{child}\n".encode())


def _tell_ends(running: dict[int, socket.socket]) -> None:
    for child in list(running):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            with closing(running.pop(child)) as connection:
                try:
                    connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
                except OSError:
                    continue  # Whoever started it is gone.


def become(order: dict[str, Any]) -> None:
    """Give this fork the signals, files, environment and folder that a new process would have."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # What the process that forks has is of another kind: a terminal, where this one has a file.
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    # What the help calls the program.
    sys.argv, sys.modules["__main__"].__package__ = [str(ROOT / "passer" / "__main__.py"), *order["args"]], "passer"


def main(imported: Iterable[str] = IMPORTED) -> None:
    ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)
    for name in imported:
        import_module(name)
    # By the program's own way: it leaves out what imports scikit-learn, which starts a thread.
    import_module("passer.metrics.nltk_parts").punkt()
    threads = len(list(Path("/proc/self/task").iterdir()))
    assert threads == 1, f"forks would lose {threads - 1} threads"
    gc.freeze()  # Collecting garbage would copy every page.
    for folder in sys.argv[2:]:
        shim(Path(folder), sys.argv[1])
    order = serve(sys.argv[1])
    become(order)
    module, _, name = order["runs"].partition(":")
    getattr(import_module(module), name)()


if __name__ == "__main__":
    main()
