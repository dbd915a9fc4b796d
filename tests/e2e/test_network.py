"""The main job in a network namespace that has nothing but loopback: it ends well, and reaches for nothing outside.

The kernel counts what a process tries to send to an address without a route, whatever library or language sends it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.conftest import BEES, QUESTIONS, SOIL
from tests.conftest import ROOT

CUT = ("unshare", "--net", "--map-root-user", "sh", "-c")
COUNTED = """
tried() {
  awk '/^Ip:/ { for (i in name) if (name[i] == "OutNoRoutes") print $i; split($0, name) }' /proc/net/snmp
  awk '/OutNoRoutes/ { print $2 }' /proc/net/snmp6
}
ip link set lo up || exit 1
"$@" >&2
echo "$?" $(tried)
"""
OUTSIDE = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect_ex(('198.51.100.7', 9))"
COMMANDS = """
import json, sys
from contextlib import redirect_stdout
from io import StringIO
from passer.cli import main

def passer(*arguments):
    sys.argv, said = ["passer", *arguments], StringIO()
    with redirect_stdout(said):
        try:
            main()
        except SystemExit as ended:
            assert not ended.code, (arguments, ended.code)
    return said.getvalue()

passer("ingest", "farm", "documents")
passer("import", "dataset", "farm.json")
swept = passer("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.5", "--json")
sweep = json.loads(swept)["id"]
passer("analyse", sweep)
passer("bundle", f"{sweep}-001", "-o", "run.zip")
assert "verified: run" in passer("verify", "run.zip")
passer("doctor")
"""
"""The main job, in one process: each would spend seconds on its imports."""


def cut_off(code: str, folder: Path = ROOT, **environment: str) -> tuple[int, int, str]:
    """Exit status of Python code without a network, how often it tried to send outside, and what it said."""
    done = subprocess.run(
        [*CUT, COUNTED, "sh", sys.executable, "-c", code],
        capture_output=True, text=True, check=False, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )  # fmt: skip
    status, *tried = map(int, done.stdout.split())
    return status, sum(tried), done.stderr


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    """Skip where the kernel lets no user make a namespace; a process that does reach outside is counted."""
    try:
        status, tried, said = cut_off(OUTSIDE)
    except (OSError, ValueError):
        pytest.skip("no network namespaces: the kernel refuses `unshare --net`, or unshare, ip or awk is missing")
    assert (status, tried) == (0, 1), said


@pytest.mark.timeout(600)
def test_ingest_sweep_analysis_bundle_and_verification_reach_for_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "soil.txt").write_text(SOIL)
    (tmp_path / "documents" / "bees.md").write_text(BEES)
    (tmp_path / "farm.json").write_text(json.dumps(QUESTIONS))

    # Not HF_HUB_OFFLINE and the like: what a user does not set must not be needed.
    unset = {"HF_HUB_OFFLINE": "0", "PASSER_HOME": str(tmp_path / "home")}
    status, tried, said = cut_off(COMMANDS, tmp_path, **unset)
    assert (status, tried) == (0, 0), said
