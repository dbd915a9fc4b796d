"""`passer serve` that posts to a real node, killed again and again; and its key is nowhere to be found."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest

from passer.adapters.store.database import Database
from passer.adapters.store.outbox import DatabaseOutbox
from tests.antelope.legacy import legacy_private_text
from tests.chain.booted import Chain
from tests.e2e.killed import Study
from tests.fakes import FakeClock
from tests.forked import ran
from tests.ollama_server import OllamaServer
from tests.served import Served

ME = "researcher1"
SEED = 20260102
SMALL = Study(questions=12, thresholds=(0.05, 0.2, 0.4))
EVERYWHERE = (
    "/api/v1/ledger/head",
    "/api/v1/ledger/entries",
    "/api/v1/sweeps",
    "/api/v1/system",
    "/health",
    "/openapi.json",
)
PARTS = ("entries", "bundle", "manifest")


def environment(chain: Chain, **changes: str) -> dict[str, str]:
    given = {
        "PASSER_LEDGER": "antelope",
        "PASSER_CHAIN_URLS": chain.url,
        "PASSER_CHAIN_CONTRACT": chain.contract,
        "PASSER_CHAIN_ACCOUNT": ME,
        "PASSER_CHAIN_KEY": chain.keys[ME].reveal().get_secret_value(),
    }
    return {**given, **changes}


def entries(server: Served, run_id: str) -> dict:
    found = server.client.get(f"/api/v1/runs/{run_id}/entries", params={"limit": 500})
    assert found.status_code == 200, found.text
    return found.json()


def wait_recorded(server: Served, run_ids: list[str]) -> None:
    until = time.monotonic() + 90
    for run_id in run_ids:
        while {item["state"] for item in entries(server, run_id)["items"]} != {"recorded"}:
            assert time.monotonic() < until, entries(server, run_id)["records"]
            time.sleep(0.2)


def finish(server: Served, sweep_id: str) -> list[str]:
    until = time.monotonic() + 90
    while True:
        found = server.client.get(f"/api/v1/sweeps/{sweep_id}").json()
        if found["state"] == "finished":
            return [run["id"] for run in found["runs"]]
        assert time.monotonic() < until, found["state"]
        time.sleep(0.1)


def on_chain(chain: Chain, testid: str) -> list[tuple[str, str]]:
    rows = chain.rows("testtable", index=3, key=testid)
    return [(row["description"], row["run_digest"]) for row in sorted(rows, key=lambda row: int(row["id"]))]


@pytest.mark.soak
def test_a_server_killed_while_it_runs_and_posts_leaves_every_entry_on_the_chain_once(chain, tmp_path):
    chance = random.Random(SEED)
    with OllamaServer(latency_s=0.02) as model:
        with SMALL.serve(tmp_path, model, **environment(chain)) as server:
            sweep_id = SMALL.prepare(server.client)
            server.kill()
        for _ in range(2):
            with SMALL.serve(tmp_path, model, **environment(chain)) as server:
                time.sleep(chance.uniform(0.3, 1.5))
                server.kill()
            check_records(tmp_path, sweep_id)
        with SMALL.serve(tmp_path, model, **environment(chain)) as server:
            run_ids = finish(server, sweep_id)
            wait_recorded(server, run_ids)
            for run_id in run_ids:
                found = entries(server, run_id)
                wanted = [(item["entry"]["description"], item["entry"]["run_digest"]) for item in found["items"]]
                assert len(wanted) == SMALL.questions + 1
                assert on_chain(chain, found["testid"]) == wanted
                listed = server.client.get("/api/v1/ledger/entries", params={"run": run_id, "limit": 1000}).json()
                assert [(row["description"], row["run_digest"]) for row in listed["items"]] == wanted
                assert {row["account"] for row in listed["items"]} == {ME}


def check_records(home: Path, sweep_id: str) -> None:
    """No run is finished without its record, or recorded before it is finished, or recorded twice."""
    database = Database(f"sqlite:///{home / 'passer.sqlite3'}")
    outbox = DatabaseOutbox(database, FakeClock())
    with database.connect() as connection:
        states = dict(connection.exec_driver_sql("SELECT id, state FROM runs").fetchall())
    for run_id, state in states.items():
        kept = outbox.records(run_id, ledger="antelope")
        assert len(kept) == (state == "finished"), (run_id, state)
        for record in kept:
            assert record.waiting + record.posted + record.recorded == SMALL.questions + 1
    database.close()


@pytest.mark.soak
def test_the_key_is_in_no_log_error_answer_database_or_bundle(fresh_chain, tmp_path):
    key = fresh_chain.keys[ME]
    secrets = [key.reveal().get_secret_value(), legacy_private_text(key).get_secret_value()]
    secrets += [text.removeprefix("PVT_K1_") for text in secrets]
    home = tmp_path / "home"
    home.mkdir()
    seen: list[bytes] = []
    with OllamaServer(latency_s=0.0) as model:
        with SMALL.serve(home, model, **environment(fresh_chain)) as server:
            sweep_id = SMALL.prepare(server.client)
            run_ids = finish(server, sweep_id)
            wait_recorded(server, run_ids)
            of_runs = [f"/api/v1/runs/{run_id}/{part}" for run_id in run_ids for part in PARTS]
            seen.extend(server.client.get(path).content for path in (*EVERYWHERE, *of_runs))
            assert any(run_ids[0].encode() in answer for answer in seen)
            # What goes wrong may not show it either: no memory, then no node.
            fresh_chain.limit(ME, ram=fresh_chain.ram_usage(ME))
            second = SMALL.begin(server.client, name="Out of memory")
            again = finish(server, second)
            reason = waiting_reason(server, again[0])
            assert "Buy RAM" in reason
            fresh_chain.node.stop()
            failing = [*EVERYWHERE, f"/api/v1/runs/{again[0]}/entries", "/api/v1/runs/none-000/entries"]
            seen.extend(server.client.get(path).content for path in failing)
        commands = (["ledger", "post"], ["doctor"], ["ledger", "head"], ["ledger", "show", again[0], "--json"])
        seen.extend(command_output(home, command, environment(fresh_chain)) for command in commands)
        wrong = secrets[0][:-1] + ("1" if secrets[0][-1] != "1" else "2")
        seen.append(command_output(home, ["ledger", "post"], environment(fresh_chain, PASSER_CHAIN_KEY=wrong)))
        assert b"private key" in seen[-1]
        secrets.append(wrong)
        seen.append(command_output(home, ["serve", "--port", "1"], environment(fresh_chain, PASSER_CHAIN_KEY=wrong)))
        assert b"private key" in seen[-1]
    files = [path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()]
    assert len(files) > 3
    for content in (*seen, *files):
        for secret in secrets:
            assert secret.encode() not in content
            assert secret.encode().hex().encode() not in content


def waiting_reason(server: Served, run_id: str) -> str:
    until = time.monotonic() + 30
    while True:
        reasons = [record["reason"] for record in entries(server, run_id)["records"] if record["reason"]]
        if reasons:
            return str(reasons[0])
        assert time.monotonic() < until
        time.sleep(0.1)


def command_output(home: Path, command: list[str], changes: dict[str, str]) -> bytes:
    done = ran(*command, environment={**os.environ, "PASSER_HOME": str(home), **changes}, timeout=90)
    return (done.stdout + done.stderr).encode()


@pytest.mark.parametrize("granularity", ["run"])
def test_the_local_ledger_records_at_once_and_its_head_is_shown(tmp_path, granularity):
    with (
        OllamaServer(latency_s=0.0) as model,
        SMALL.serve(tmp_path, model, PASSER_LEDGER_GRANULARITY=granularity) as server,
    ):
        run_ids = finish(server, SMALL.prepare(server.client))
        wait_recorded(server, run_ids)
        head = server.client.get("/api/v1/ledger/head").json()
        rows = server.client.get("/api/v1/ledger/entries").json()["items"]
    assert (head["kind"], head["entries"]) == ("local", len(run_ids))
    assert head["digest"] == rows[-1]["digest"]
    assert "one operator" in head["proves_not"]
    assert {json.dumps(row["account"]) for row in rows} == {"null"}
