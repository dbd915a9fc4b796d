"""Commands of PaSSER that kill themselves at their n-th commit or rename."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

UPLOAD = "upload"
"""Not a command: an upload of files over HTTP."""


def install(at: int, counted: Path) -> None:
    """Kill this process at its n-th point: before and after each commit, before each rename."""
    from sqlalchemy.engine.default import DefaultDialect

    points = 0

    def point() -> None:
        nonlocal points
        points += 1
        if points == at:
            os.kill(os.getpid(), signal.SIGKILL)
        counted.write_text(str(points))

    committed = DefaultDialect.do_commit

    def commit(self: DefaultDialect, connection: Any) -> None:
        point()
        committed(self, connection)
        point()

    DefaultDialect.do_commit = commit  # type: ignore[method-assign]
    # Raised by os.rename, os.replace and pathlib; and by Python itself, once for each module that it compiles.
    sys.addaudithook(lambda event, given: point() if event == "os.rename" and not is_compiled(given) else None)


def is_compiled(given: tuple[Any, ...]) -> bool:
    return str(given[1]).endswith(".pyc")


def run() -> None:
    """Run the command line, whose first two arguments are the point at which to die (0: at none) and the file that
    counts the points.
    """
    from passer.cli import main

    at, counted, *arguments = sys.argv[1:]
    install(int(at), Path(counted))
    sys.argv[1:] = arguments
    upload(*map(Path, arguments[1:])) if arguments[0] == UPLOAD else main()


def upload(*files: Path) -> None:
    """Bring documents over HTTP, to a server in this process, and wait until no job is left."""
    from fastapi.testclient import TestClient

    from passer.api.app import create_app
    from passer.bootstrap import build_services
    from passer.settings import Settings

    app = create_app(build_services(Settings.of_environment()))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        given = [("files", (file.name, file.read_bytes())) for file in files]
        accepted = client.post("/api/v1/collections/farm/documents", files=given)
        assert accepted.status_code == 202, accepted.text
        while any(job["state"] in ("queued", "running") for job in client.get("/api/v1/jobs").json()["items"]):
            time.sleep(0.02)
