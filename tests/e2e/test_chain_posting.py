"""`passer ledger post` against a real node, killed, cut off, out of memory: each entry is there once, in order."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from passer.adapters.clock import SystemClock
from passer.adapters.store.database import Database
from passer.adapters.store.journal import DatabaseJournal
from passer.adapters.store.outbox import DatabaseOutbox
from passer.adapters.store.runs import DatabaseRuns
from passer.adapters.store.work import DatabaseWork
from passer.antelope.client.chain import AntelopeChain
from passer.antelope.client.rpc import Rpc
from passer.antelope.ledger.ledger import AntelopeLedger
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.entry import testid_of as name_of
from passer.domain.sweeps.run import RunState
from passer.ports import OutboxEntry, RunRecord
from passer.services.provenance.outbox_poster import OutboxPoster, Posted
from tests.adapters.store.made import sweep
from tests.chain.booted import Chain
from tests.cli import conftest as command_line
from tests.e2e.cutting_proxy import CuttingProxy
from tests.fakes import FakeClock
from tests.forked import Captured

passer = command_line.passer
ME = "researcher1"
SEED = 20260101


class Home:
    """A home with finished runs whose entries wait, and `passer` on it."""

    def __init__(self, folder: Path, chain: Chain, *, sweep_id: str, runs: int = 2, entries: int = 130) -> None:
        self._folder, self._chain = folder, chain
        key = folder / "key"
        key.touch(mode=0o600)
        key.write_text(chain.keys[ME].reveal().get_secret_value())
        self.environment = {
            **os.environ,
            "PASSER_HOME": str(folder),
            "PASSER_LEDGER": "antelope",
            "PASSER_CHAIN_URLS": chain.url,
            "PASSER_CHAIN_CONTRACT": chain.contract,
            "PASSER_CHAIN_ACCOUNT": ME,
            "PASSER_CHAIN_KEY_FILE": str(key),
        }
        database = Database(self._url)
        store = DatabaseRuns(database, FakeClock())
        store.create_sweep(sweep(sweep_id, runs=runs))
        self.run_ids = [f"{sweep_id}-{number:03d}" for number in range(runs)]
        store.set_state(self.run_ids, RunState.RUNNING)
        for run_id in self.run_ids:
            made = tuple(entry(run_id, number) for number in range(entries))
            store.finish(run_id, RunRecord(digest="a" * 64, manifest="{}", entries=made), ledger="antelope")
        database.close()

    @property
    def _url(self) -> str:
        return f"sqlite:///{self._folder / 'passer.sqlite3'}"

    def start(self, *arguments: str, **environment: str) -> Captured:
        return Captured("ledger", *arguments, environment={**self.environment, **environment})

    def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        with self.start(*arguments, **environment) as process:
            out, err = process.communicate(timeout=90)
            return process.returncode, out, err

    def outbox(self) -> dict[str, list[OutboxEntry]]:
        database = Database(self._url)
        outbox = DatabaseOutbox(database, FakeClock())
        found = {run_id: outbox.entries(run_id, ledger="antelope", limit=1000) for run_id in self.run_ids}
        database.close()
        return found

    def finish(self, url: str | None = None) -> None:
        """Post until no entry waits and all are irreversible."""
        until = time.monotonic() + 60
        while (done := self.post(url)).waiting or done.unsettled:
            assert time.monotonic() < until, done
            time.sleep(0.2)

    def post(self, url: str | None = None, *, read_timeout_s: float = 30) -> Posted:
        """As `passer ledger post` does, in this process."""
        database, rpc = Database(self._url), Rpc((url or self._chain.url,), read_timeout_s=read_timeout_s)
        chain = AntelopeChain(rpc, self._chain.contract)
        ledger = AntelopeLedger(chain, DatabaseJournal(database), account=ME, key=self._chain.keys[ME])
        try:
            clock = SystemClock()
            work = DatabaseWork(database, clock)
            return OutboxPoster(DatabaseOutbox(database, clock), ledger, clock, work).post(at_once=True)
        finally:
            rpc.close()
            database.close()

    def check(self, *, in_order: bool = True) -> None:
        """Every entry once, in order, and the receipts lead to their rows."""
        for run_id, kept in self.outbox().items():
            wanted = [one.entry.description for one in kept]
            found = on_chain(self._chain, run_id)
            assert found == wanted if in_order else sorted(found) == sorted(wanted)
            assert {one.state for one in kept} == {"recorded"}
            ids = {one.receipt.place.transaction_id for one in kept if one.receipt}
            blocks = {one.receipt.place.block_id for one in kept if one.receipt}
            there = {
                part["trx"]["id"]
                for block in blocks
                for part in self._chain.node.call("/v1/chain/get_block", {"block_num_or_id": block})["transactions"]
            }
            assert ids <= there


def entry(run_id: str, number: int) -> Entry:
    return Entry(
        action="addtest",
        testid=name_of(run_id),
        description=f"run {run_id} question q{number}",
        results=tuple((number + place) / 7 for place in range(24)),
        run_digest=f"{number:064x}",
        config_digest="c" * 64,
    )


def on_chain(chain: Chain, run_id: str) -> list[str]:
    rows: Sequence[dict] = chain.rows("testtable", index=3, key=name_of(run_id))
    return [row["description"] for row in sorted(rows, key=lambda row: int(row["id"]))]


def test_kill_9_between_the_push_and_its_recording(chain, tmp_path):
    home = Home(tmp_path, chain, sweep_id="killed")
    processes: list[Captured] = []

    def kill(pushes: int) -> bool:
        if pushes in (1, 3):
            processes[-1].kill()
            return False
        return True

    with CuttingProxy(chain.url, kill) as proxy:
        killed = 0
        for _ in range(2):
            # The proxy itself kills the process: it has the node's answer, the process has not.
            processes.append(home.start("post", PASSER_CHAIN_URLS=proxy.url))
            processes[-1].communicate(timeout=60)
            killed += processes[-1].returncode == -signal.SIGKILL
            chain.wait_blocks(3)
        assert killed == 2
    home.finish()
    home.check()


@pytest.mark.soak
def test_kill_9_at_random_moments(chain, tmp_path):
    home = Home(tmp_path, chain, sweep_id="randomly", runs=2, entries=400)
    chance = random.Random(SEED)
    for _ in range(3):
        with home.start("post") as process:
            time.sleep(chance.uniform(0.7, 1.8))
            process.kill()
            process.communicate(timeout=30)
    home.finish()
    home.check()


def test_a_connection_that_is_cut_after_every_other_push(chain, tmp_path):
    home = Home(tmp_path, chain, sweep_id="cut")
    with CuttingProxy(chain.url, lambda pushes: pushes % 2 == 0) as proxy:
        code, out, _ = home.run("post", "--json", PASSER_CHAIN_URLS=proxy.url)
        assert code == 1
        [reason] = json.loads(out)["reasons"]
        assert "No node replied to /v1/chain/send_transaction" in reason
        home.finish(proxy.url)
    home.check()


def test_while_the_node_is_stopped_everything_waits_and_says_why(fresh_chain, tmp_path):
    home = Home(tmp_path, fresh_chain, sweep_id="stopped")
    fresh_chain.node.stop()
    code, out, err = home.run("post")
    assert code == 1
    assert "Waiting: 260." in err
    assert "Start the node" in err
    code, out, err = home.run("show", home.run_ids[0], "--json")
    shown = json.loads(out)
    assert shown["records"][0]["waiting"] == 130
    assert "Start the node" in shown["records"][0]["reason"]
    assert shown["records"][0]["retry_at"] is not None
    fresh_chain.node.start()
    home.finish()
    home.check()
    code, out, _ = home.run("show", home.run_ids[0], "--json")
    shown = json.loads(out)
    assert (shown["records"][0]["recorded"], shown["records"][0]["reason"]) == (130, None)


def test_a_node_that_stops_with_transactions_in_an_unfinished_block(fresh_chain, tmp_path):
    home = Home(tmp_path, fresh_chain, sweep_id="unfinished")
    fresh_chain.pause()
    home.post(read_timeout_s=3)
    fresh_chain.restart()
    home.finish()
    # What was in the unfinished block comes back in an order that is the node's own.
    home.check(in_order=False)


def test_out_of_memory_the_entries_wait_and_go_on_when_there_is_some(chain, tmp_path):
    home = Home(tmp_path, chain, sweep_id="memory")
    chain.limit(ME, ram=chain.ram_usage(ME) + 75 * 570)
    try:
        code, out, _ = home.run("post", "--json")
        assert code == 1
        assert json.loads(out)["posted"] >= 50
        assert any("Buy RAM" in reason for reason in json.loads(out)["reasons"])
    finally:
        chain.limit(ME)
    home.finish()
    home.check()


def test_what_is_listed_exported_and_compared_comes_from_the_chain(chain, tmp_path, passer, monkeypatch):
    home = Home(tmp_path, chain, sweep_id="listed", entries=7)
    home.finish()
    for name, value in home.environment.items():
        monkeypatch.setenv(name, value)
    rows = passer("ledger", "list", "--run", home.run_ids[0], "--json").json["items"]
    assert [row["description"] for row in rows] == on_chain(chain, home.run_ids[0])
    assert {row["account"] for row in rows} == {ME}
    export = tmp_path / "rows.jsonl"
    assert passer("ledger", "export", "-o", export, "--run", home.run_ids[1]).status == 0
    assert passer("ledger", "compare", export).status == 0
    lines = export.read_text().splitlines()
    changed = json.loads(lines[3])
    changed["results"][0] += 1
    export.write_text("\n".join([*lines[:3], json.dumps(changed), *lines[4:]]))
    different = passer("ledger", "compare", export)
    assert different.status == 1
    assert "Equal rows: 6; different: 1" in different.err
    assert changed["description"] in different.out
    head = passer("ledger", "head")
    assert "irreversible" not in head.out
    assert "signed by the account" in head.err


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"PASSER_CHAIN_URLS": ""}, "PASSER_CHAIN_URLS"),
        ({"PASSER_CHAIN_CONTRACT": "Not A Name"}, "PASSER_CHAIN_CONTRACT"),
        ({"PASSER_CHAIN_KEY": "PVT_K1_wrong", "PASSER_CHAIN_KEY_FILE": ""}, "private key"),
        ({"PASSER_CHAIN_ACCOUNT": ""}, "PASSER_CHAIN_ACCOUNT"),
    ],
)
def test_a_wrong_setting_is_one_sentence_without_the_key(chain, tmp_path, passer, monkeypatch, changes, said):
    home = Home(tmp_path, chain, sweep_id="wrong", runs=1, entries=1)
    for name, value in {**home.environment, **changes}.items():
        monkeypatch.setenv(name, value)
    for name, value in changes.items():
        if not value:
            monkeypatch.delenv(name)
    ended = passer("ledger", "post")
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.count("\n") == 1
    assert chain.keys[ME].reveal().get_secret_value() not in ended.err
    assert "PVT_K1_wrong" not in ended.err


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of `passer` in this process."""
    return tmp_path
