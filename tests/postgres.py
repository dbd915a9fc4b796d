"""A real PostgreSQL for the tests: a fresh cluster from the installed binaries, on loopback, gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    return found[-1] if found else None


@contextmanager
def postgres_url(folder: Path) -> Iterator[str]:
    """SQLAlchemy URL of an empty database; skips where PostgreSQL is not installed."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    home = Path("/tmp") / f"passer-postgres-{os.getpid()}"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    if as_user:
        shutil.chown(home, user="postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data, log = home / "data", home / "log"
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={home} -c fsync=off"
    control = [*as_user, str(binaries / "pg_ctl"), "-D", str(data), "-w", "-l", str(log)]
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": home, "timeout": 120}
    try:
        subprocess.run(
            [*as_user, str(binaries / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8"],
            **quiet,
        )
        subprocess.run([*control, "-o", options, "start"], **quiet)
        yield f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, stdout=subprocess.DEVNULL, cwd="/")
        shutil.rmtree(home, ignore_errors=True)
