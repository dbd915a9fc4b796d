"""Commands of PaSSER in forked processes that kill themselves at their n-th commit or rename.

    python -m tests.failpoints

Reads one JSON object a line: `args` of the command, `env`, and `at`, the point at which to die (0: at none). Answers
with `status` (negative: the signal), `out`, `err`, and `points`, how many there were. The processes are forks of this
one, which has imported everything, so that each takes a fraction of a second.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

UPLOAD = "upload"
"""Not a command: an upload of files over HTTP."""
IMPORTED = ("chromadb", "sqlalchemy.dialects.sqlite", "passer.adapters.chroma", "passer.bootstrap", "passer.cli")


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
    # Raised by os.rename, os.replace and pathlib.
    sys.addaudithook(lambda event, _: point() if event == "os.rename" else None)


def run(order: dict[str, Any]) -> dict[str, Any]:
    """Run one command in a fork; what it left."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("out", "err", "points")]
        child = os.fork()
        if child == 0:
            _become(order, *files)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out, err, points = (file.read_text() if file.exists() else "" for file in files)
    return {"status": status, "out": out, "err": err, "points": int(points or 0)}


def _become(order: dict[str, Any], out: Path, err: Path, points: Path) -> None:
    for file, number in ((out, 1), (err, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    os.environ.update(order["env"])
    sys.argv = ["passer", *order["args"]]
    status = 70
    try:
        from passer.cli import main

        install(order["at"], points)
        upload(*map(Path, order["args"][1:])) if order["args"][0] == UPLOAD else main()
        status = 0
    except SystemExit as exc:
        status = int(exc.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


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


def main() -> None:
    for name in IMPORTED:
        import_module(name)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
