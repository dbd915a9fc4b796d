"""The application with a read-only root file system, as the compose file runs it: in a mount namespace of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.conftest import ROOT
from tests.containers import SERVICES
from tests.waiting import wait_until

HOME = "/mnt"
"""Where the volume is in the namespace; a folder that every machine has."""
ENTER = f"""
set -e
mount --make-rprivate /
mount --bind "$1" {HOME}
findmnt --raw --noheadings --output TARGET | while read -r target; do
  case "$target" in {HOME}|/proc*|/dev*|/sys*) ;; *) mount -o remount,bind,ro "$target" 2>/dev/null || true ;; esac
done
mount -t tmpfs -o "$2" tmpfs /tmp
cd {HOME}
shift 2
if touch "$1/written" 2>/dev/null; then rm "$1/written"; echo "$1 can be written to"; exit 3; fi
shift
exec "$@"
"""
"""Arguments: the volume, the options of /tmp, a folder that must not be written to, and the command."""


def in_namespace(volume: Path, *command: str) -> list[str]:
    [options] = [each.partition(":")[2] for each in SERVICES["app"]["tmpfs"]]
    return ["unshare", "--mount", "sh", "-c", ENTER, "sh", str(volume), options, str(ROOT), *command]


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    tried = subprocess.run(in_namespace(tmp_path, "true"), capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no mount namespace can be made here: {tried.stderr.strip()}")
    return tmp_path


@pytest.mark.soak
def test_the_application_writes_to_its_volume_and_to_tmp_alone(volume):
    assert SERVICES["app"]["read_only"] is True
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    environment = {**os.environ, "PASSER_HOME": HOME, "HOME": HOME, "PYTHONPATH": str(ROOT)}
    started = in_namespace(volume, sys.executable, "-m", "passer", "serve", "--port", port)
    with subprocess.Popen(started, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            used(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            said = process.communicate(timeout=60)[0].decode()
    assert "Read-only file system" not in said
    assert "Traceback" not in said, said
    assert (volume / "passer.sqlite3").stat().st_size > 0
    assert (volume / "chroma").is_dir()


def used(address: str) -> None:
    """Upload a document and a dataset, ask, score, run a sweep, and download what is made in temporary files."""
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        wait_until(lambda: answered(lambda: client.get("/health").status_code == 200))
        # More than a server keeps in memory of an upload, with little to embed.
        text = "Clover fixes nitrogen from the air." + "\n" * 1_200_000
        files = [("files", ("soil.txt", text.encode()))]
        sent = client.post("/api/v1/collections/farm/documents", files=files)
        assert sent.status_code == 202, sent.text
        wait_until(lambda: client.get(sent.headers["location"]).json()["state"] == "finished")
        questions = [{"id": "q", "question": "What fixes nitrogen?", "reference": "Clover fixes nitrogen."}]
        file = {"file": ("farm.json", json.dumps(questions).encode())}
        assert client.post("/api/v1/datasets", files=file, data={"name": "farm"}).status_code == 201
        config = {"dataset": "farm", "collection": "farm", "model": {"provider": "extractive", "name": "extractive"}}
        made = client.post("/api/v1/sweeps", json={"name": "Farm", "config": config, "axes": {"k": [1, 2]}})
        assert made.status_code == 201, made.text
        path = f"/api/v1/sweeps/{made.json()['id']}"
        wait_until(lambda: client.get(path).json()["state"] == "finished")
        run = client.get(path).json()["runs"][0]["id"]
        for download in (f"{path}/report", f"{path}/export?format=xlsx", f"/api/v1/runs/{run}/bundle"):
            found = client.get(download)
            assert found.status_code == 200, (download, found.text[:300])
            assert found.content


def answered(look) -> bool:
    """Return what `look` finds; False while the server does not answer."""
    try:
        return look()
    except httpx.TransportError:
        return False
