"""The units of systemd against the program: verified by its own tool, their commands started; no systemd runs here."""

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

PORTS = {"passer.service": 8000, "passer-sweeps.service": 8001}
each_unit = pytest.mark.parametrize("unit", PORTS)


def settings(unit: str) -> list[str]:
    lines = (ROOT / unit).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line[0] not in "#["]


def values(unit: str, key: str) -> list[str]:
    return [line.partition("=")[2] for line in settings(unit) if line.startswith(f"{key}=")]


def value(unit: str, key: str) -> str:
    [only] = values(unit, key)
    return only


def environment(unit: str) -> dict[str, str]:
    return dict(each.split("=", 1) for each in values(unit, "Environment"))


@each_unit
def test_systemd_finds_nothing_wrong_with_it(unit: str, tmp_path: Path) -> None:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    installed = value(unit, "ExecStart").split()[0]
    # The tool refuses commands that are not there.
    copied = tmp_path / unit
    copied.write_text((ROOT / unit).read_text(encoding="utf-8").replace(installed, sys.executable), encoding="utf-8")
    found = subprocess.run(
        [tool, "verify", "--man=no", copied], capture_output=True, text=True, check=False, timeout=60
    )
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


@each_unit
def test_its_command_and_its_variables_exist_and_only_this_machine_reaches_it(unit: str) -> None:
    program, act, *words = value(unit, "ExecStart").split()
    assert Path(program).name == "passer"
    parsed = get_command(cli).get_command(None, act).make_context(act, words)
    assert parsed.params == {"host": "127.0.0.1", "port": PORTS[unit], "insecure_listen": False, "engine": None}
    assert {name.removeprefix("PASSER_").lower() for name in environment(unit)} <= set(Settings.model_fields)


@each_unit
def test_it_may_write_to_its_home_and_to_a_tmp_of_its_own_alone(unit: str) -> None:
    # tests/test_compose_read_only.py runs the program with exactly these two.
    assert value(unit, "ProtectSystem") == "strict"
    assert environment(unit)["PASSER_HOME"] == f"/var/lib/{value(unit, 'StateDirectory')}"
    assert value(unit, "PrivateTmp") == "yes"


def test_the_server_for_sweeps_differs_in_its_name_its_order_and_its_port_alone() -> None:
    one, other = map(settings, PORTS)
    # Its home, its names and the rights are those of the server for people.
    assert {line.partition("=")[0] for line in {*one} ^ {*other}} == {"Description", "After", "ExecStart"}
    assert "passer.service" in value("passer-sweeps.service", "After").split()


@each_unit
def test_it_answers_to_its_name_and_ends_well_within_the_time_that_it_is_given(unit: str, tmp_path: Path) -> None:
    given = {name: each for name, each in environment(unit).items() if name != "PASSER_HOME"}
    services = build_services(Settings(home=tmp_path, encoder="none"))
    services.accounts.add("maria", role="admin", password="correct horse battery")
    services.close()
    with Served(tmp_path, PASSER_ENCODER="none", **given) as server:
        for host, status in ((given["PASSER_ALLOWED_HOSTS"], 401), ("elsewhere.example.org", 421)):
            answered = server.client.get("/api/v1/sweeps", headers={"host": host})
            assert answered.status_code == status, answered.text
        server.process.send_signal(getattr(signal, value(unit, "KillSignal")))
        # Anything but 0 would be a failure to systemd, which starts what failed again.
        assert server.process.wait(timeout=60) == 0
    assert float(value(unit, "TimeoutStopSec")) > GIVE_UP_AFTER_S
