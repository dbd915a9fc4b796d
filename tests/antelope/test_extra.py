"""Without the extra `chain` bundles of chains are verified offline, and whatever needs it names it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from passer.bootstrap.ledgers import chain_key, chain_rpc, require_chain_packages
from passer.errors import ConfigError
from passer.settings import Settings
from tests.bundles import MadeRun
from tests.test_core_install import MAIN, blocked, run

INSTALL = 'An Antelope blockchain needs packages that are not installed. Run: pip install "passer-rag[chain]"'


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "bundle.zip"
    path.write_bytes(MadeRun(questions=3).bundle("chain"))
    return path


def test_bundles_of_a_chain_are_verified(bundle: Path):
    assert "coincurve" in blocked()
    done = run(MAIN, "verify", bundle, home=bundle.parent)
    assert done.returncode == 0, done.stderr
    assert "pass         Each entry is the action at its position in the transaction" in done.stdout


def test_a_chain_is_refused_with_the_extra_s_name(bundle: Path):
    done = run(MAIN, "verify", bundle, "--chain", "http://127.0.0.1:9", home=bundle.parent)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"passer: {INSTALL}\n")


def test_what_needs_the_extra_asks_for_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setitem(sys.modules, "coincurve", None)
    urls = ("http://127.0.0.1:9",)
    settings = Settings(home=tmp_path, ledger="antelope", chain_urls=urls, chain_key="5", chain_account="a")
    for act in (require_chain_packages, lambda: chain_rpc(settings), lambda: chain_key(settings)):
        with pytest.raises(ConfigError) as raised:
            act()
        assert raised.value.message.startswith(INSTALL)
