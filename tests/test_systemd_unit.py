"""passer.service against the program: verified by systemd's own tool, and its command started; no systemd runs here."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from passer.bootstrap import build_services
from passer.cli import app as cli
from passer.services.work.worker import GIVE_UP_AFTER_S
from passer.settings import Settings
from tests.conftest import ROOT
from tests.served import Served

UNIT = ROOT / "passer.service"


def values(key: str) -> list[str]:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


def value(key: str) -> str:
    [only] = values(key)
    return only


def environment() -> dict[str, str]:
    return dict(each.split("=", 1) for each in values("Environment"))


def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    installed = value("ExecStart").split()[0]
    # The tool refuses commands that are not there.
    copied = tmp_path / UNIT.name
    copied.write_text(UNIT.read_text(encoding="utf-8").replace(installed, sys.executable), encoding="utf-8")
    found = subprocess.run(
        [tool, "verify", "--man=no", copied], capture_output=True, text=True, check=False, timeout=60
    )
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


def test_its_command_and_its_variables_exist_and_only_this_machine_reaches_it() -> None:
    program, act, *words = value("ExecStart").split()
    assert Path(program).name == "passer"
    parsed = get_command(cli).get_command(None, act).make_context(act, words)
    assert parsed.params == {"host": "127.0.0.1", "port": 8000, "insecure_listen": False, "engine": None}
    assert {name.removeprefix("PASSER_").lower() for name in environment()} <= set(Settings.model_fields)


def test_it_may_write_to_its_home_and_to_a_tmp_of_its_own_alone() -> None:
    # tests/test_compose_read_only.py runs the program with exactly these two.
    assert value("ProtectSystem") == "strict"
    assert environment()["PASSER_HOME"] == f"/var/lib/{value('StateDirectory')}"
    assert value("PrivateTmp") == "yes"


def test_it_answers_to_its_name_and_ends_well_within_the_time_that_it_is_given(tmp_path: Path) -> None:
    given = {name: each for name, each in environment().items() if name != "PASSER_HOME"}
    services = build_services(Settings(home=tmp_path, encoder="none"))
    services.accounts.add("maria", role="admin", password="correct horse battery")
    services.close()
    with Served(tmp_path, PASSER_ENCODER="none", **given) as server:
        for host, status in ((given["PASSER_ALLOWED_HOSTS"], 401), ("elsewhere.example.org", 421)):
            answered = server.client.get("/api/v1/sweeps", headers={"host": host})
            assert answered.status_code == status, answered.text
        server.process.send_signal(getattr(signal, value("KillSignal")))
        # Anything but 0 would be a failure to systemd, which starts what failed again.
        assert server.process.wait(timeout=60) == 0
    assert float(value("TimeoutStopSec")) > GIVE_UP_AFTER_S
