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


def cut_off(*command: str, **environment: str) -> tuple[int, int, str]:
    """Exit status of a command without a network, how often it tried to send outside, and what it said."""
    done = subprocess.run(
        [*CUT, COUNTED, "sh", *command],
        capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **environment},
    )  # fmt: skip
    status, *tried = map(int, done.stdout.split())
    return status, sum(tried), done.stderr


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    """Skip where the kernel lets no user make a namespace; a process that does reach outside is counted."""
    try:
        status, tried, said = cut_off(sys.executable, "-c", OUTSIDE)
    except (OSError, ValueError):
        pytest.skip("no network namespaces: the kernel refuses `unshare --net`, or unshare, ip or awk is missing")
    assert (status, tried) == (0, 1), said


@pytest.mark.timeout(600)
def test_ingest_sweep_analysis_bundle_and_verification_reach_for_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "soil.txt").write_text(SOIL)
    (tmp_path / "documents" / "bees.md").write_text(BEES)
    (tmp_path / "farm.json").write_text(json.dumps(QUESTIONS))

    def passer(*arguments: object) -> str:
        command = (sys.executable, "-m", "passer", *map(str, arguments))
        # Not HF_HUB_OFFLINE and the like: what a user does not set must not be needed.
        unset = {"HF_HUB_OFFLINE": "0", "PASSER_HOME": str(tmp_path / "home")}
        status, tried, said = cut_off(*command, **unset)
        assert (status, tried) == (0, 0), said
        return said

    passer("ingest", "farm", tmp_path / "documents")
    passer("import", "dataset", tmp_path / "farm.json")
    said = passer("sweep", "--dataset", "farm", "--collection", "farm", "--thresholds", "0.3,0.5", "--json")
    sweep = json.loads(said[said.index("{") :])["id"]
    passer("analyse", sweep)
    passer("bundle", f"{sweep}-001", "-o", tmp_path / "run.zip")
    passer("verify", tmp_path / "run.zip")
    passer("doctor")
