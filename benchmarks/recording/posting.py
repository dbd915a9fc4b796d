"""Rows a second into a real node, one by one and in batches, what a row costs there, and what the node alone takes."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from benchmarks.report import Figure
from passer.adapters.clock import SystemClock
from passer.adapters.store.database import Database
from passer.adapters.store.journal import DatabaseJournal
from passer.adapters.store.local_ledger import LocalLedger
from passer.adapters.store.outbox import DatabaseOutbox
from passer.adapters.store.runs import DatabaseRuns
from passer.adapters.store.work import DatabaseWork
from passer.antelope.client.chain import AntelopeChain
from passer.antelope.ledger.ledger import AntelopeLedger
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.entry import testid_of as name_of
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.run import Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.ports import Ledger, RunRecord, StoredSweep
from passer.services.provenance.outbox_poster import OutboxPoster
from tests.antelope.legacy import legacy_private_text
from tests.chain.booted import PUBLISHED, Chain, new_chain

ROOT = Path(__file__).resolve().parents[2]
PYNTELOPE = ROOT / ".venvs" / "pyntelope" / "bin" / "python"
ME = "researcher1"
SCORES = 24
GOAL_ROWS_PER_S = 4000.0


def measure(*, quick: bool) -> dict[str, Figure]:
    """Figures by name; all against one node."""
    rows, alone, peers = (4000, 200, 20) if quick else (20_000, 400, 200)
    with tempfile.TemporaryDirectory(prefix="passer-bench-") as folder, new_chain(Path(folder) / "chain") as chain:
        figures = _batched(chain, Path(folder), rows)
        figures |= _node_alone(chain, rows, figures["rows_per_s_batched"].value)
        figures |= _one_by_one(chain, Path(folder), alone)
        figures |= _pyntelope(chain, peers)
        figures |= _local(Path(folder), rows)
    return figures


def entries_of(run_id: str, count: int) -> tuple[Entry, ...]:
    """What a run leaves: a row of 24 scores for each question."""
    return tuple(
        Entry(
            action="addtest",
            testid=name_of(run_id),
            description=f"run {run_id} question q{number:05d}",
            results=tuple((number % 97 + place) / 131 for place in range(SCORES)),
            run_digest=f"{number:064x}",
            config_digest="c" * 64,
        )
        for number in range(count)
    )


def _batched(chain: Chain, folder: Path, count: int) -> dict[str, Figure]:
    """The whole way: outbox, signing, journal, node, receipts, outbox."""
    memory = chain.ram_usage(ME)
    with _home(folder, "batched", count) as (database, outbox):
        ledger, own = _ledger(chain, database), process_time()
        seconds = _posted(database, outbox, ledger, count)
        own = process_time() - own
        sent = DatabaseJournal(database).sent("open", "posted", "final")
    net = sum(-(-(len(one.packed) // 2 + 70) // 8) * 8 for one in sent)
    return {
        "rows_per_s_batched": Figure(count / seconds, "higher", "rows/s", goal=GOAL_ROWS_PER_S),
        "own_cpu_us_per_row": Figure(1e6 * own / count, "lower", "us"),
        "ram_bytes_per_row": Figure((chain.ram_usage(ME) - memory) / count, "lower", "bytes"),
        "net_bytes_per_row": Figure(net / count, "lower", "bytes"),
    }


def _node_alone(chain: Chain, count: int, batched: float) -> dict[str, Figure]:
    """What the node takes of signed bytes that lie ready, one request after the other: the limit on this machine."""
    contract = AntelopeChain(chain.rpc, chain.contract)
    ready = [contract.sign(one, chain.keys[ME]) for one in contract.prepare_all(entries_of("ready", count), ME)]
    bodies = [
        json.dumps({"signatures": one.signatures, "compression": "none", "packed_trx": one.prepared.packed})
        for one in ready
    ]
    node = http.client.HTTPConnection(chain.url.removeprefix("http://"))
    began = perf_counter()
    for body in bodies:
        node.request("POST", "/v1/chain/send_transaction", body)
        reply = node.getresponse()
        reply.read()
        assert reply.status == 202, reply.status
    seconds = perf_counter() - began
    node.close()
    alone = count / seconds
    return {
        "rows_per_s_node_alone": Figure(alone, "higher", "rows/s"),
        "share_of_node_alone": Figure(batched / alone, "higher", "ratio"),
    }


def _one_by_one(chain: Chain, folder: Path, count: int) -> dict[str, Figure]:
    """A transaction for each row, by the same client and journal.

    Now and then the node lets one wait .6 s for its next block: of few rows, three such waits halve the rate. What
    PaSSER needs is the middle row and the time of its own processor.
    """
    with _home(folder, "alone", count) as (database, outbox):
        ledger = _ledger(chain, database)
        [record] = outbox.unposted(ledger="antelope")
        times, own = [perf_counter()], process_time()
        while waiting := outbox.waiting(record.number, ledger="antelope", limit=1):
            outbox.posted([waiting[0].number], ledger.append([waiting[0].entry]))
            times.append(perf_counter())
        own = process_time() - own
    return {
        "rows_per_s_one_by_one": Figure(count / (times[-1] - times[0]), "higher", "rows/s"),
        "median_ms_one_by_one": Figure(1000 * median(after - at for at, after in pairwise(times)), "lower", "ms"),
        "own_cpu_ms_one_by_one": Figure(1000 * own / count, "lower", "ms"),
    }


def _local(folder: Path, count: int) -> dict[str, Figure]:
    """The local ledger, the same way."""
    with _home(folder, "local", count, kind="local") as (database, outbox):
        ledger = LocalLedger(database, SystemClock(), place="here")
        seconds = _posted(database, outbox, ledger, count)
        began = perf_counter()
        assert ledger.broken() is None
        checked = perf_counter() - began
    return {
        "local_rows_per_s": Figure(count / seconds, "higher", "rows/s"),
        "local_rows_verified_per_s": Figure(count / checked, "higher", "rows/s"),
    }


def _pyntelope(chain: Chain, count: int) -> dict[str, Figure]:
    """The published way: pyntelope, a transaction for each row, into the published contract; where it is installed."""
    if not PYNTELOPE.is_file():
        print("pyntelope is not installed in .venvs/pyntelope: its rate is left out", file=sys.stderr)
        return {}
    made = ROOT / "tests" / "contracts" / "published"
    chain.deploy(
        PUBLISHED,
        wasm=(made / "published.wasm").read_bytes(),
        abi=json.loads((made / "published.abi").read_text()),
    )
    rows = [
        {"creator": ME, "testid": "peer", "description": f"row {number}", "results": [number / 7] * SCORES}
        for number in range(count)
    ]
    key = legacy_private_text(chain.keys[ME]).get_secret_value()
    asked = json.dumps({"url": chain.url, "contract": PUBLISHED, "key": key, "rows": rows})
    script = Path(__file__).with_name("pyntelope_rows.py")
    done = subprocess.run([str(PYNTELOPE), str(script)], input=asked, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"pyntelope failed: {done.stderr.splitlines()[-1:]}", file=sys.stderr)
        return {}
    return {"rows_per_s_pyntelope": Figure(float(done.stdout), "higher", "rows/s")}


def _posted(database: Database, outbox: DatabaseOutbox, ledger: Ledger, count: int) -> float:
    clock = SystemClock()
    began = perf_counter()
    done = OutboxPoster(outbox, ledger, clock, DatabaseWork(database, clock)).post(at_once=True)
    seconds = perf_counter() - began
    assert (done.posted, done.waiting) == (count, 0), done
    return seconds


def _ledger(chain: Chain, database: Database) -> AntelopeLedger:
    contract = AntelopeChain(chain.rpc, chain.contract)
    return AntelopeLedger(contract, DatabaseJournal(database), account=ME, key=chain.keys[ME])


@contextmanager
def _home(folder: Path, name: str, count: int, *, kind: str = "antelope") -> Iterator[tuple[Database, DatabaseOutbox]]:
    """A database with one finished run whose entries wait."""
    database = Database(f"sqlite:///{folder / name}.sqlite3")
    clock = SystemClock()
    runs, run_id = DatabaseRuns(database, clock), f"{name}-000"
    runs.create_sweep(_sweep(name, [run_id], count))
    runs.set_state([run_id], RunState.RUNNING)
    record = RunRecord(digest="a" * 64, manifest="{}", entries=entries_of(run_id, count))
    runs.finish(run_id, record, ledger="local" if kind == "local" else "antelope")
    yield database, DatabaseOutbox(database, clock)
    database.close()


def _sweep(name: str, run_ids: Sequence[str], questions: int) -> StoredSweep:
    config = RunConfig(dataset="bench", collection="bench", retrieval=NormalPolicy(k=1))
    at = SystemClock().now()
    return StoredSweep(
        id=name,
        sweep=Sweep(name=name, config=config),
        dataset_digest="d" * 64,
        questions=questions,
        runs=tuple(
            Run(id=run_id, sweep_id=name, position=place, name=run_id, config=config, created_at=at)
            for place, run_id in enumerate(run_ids)
        ),
        created_at=at,
    )
