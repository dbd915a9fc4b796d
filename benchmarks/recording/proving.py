"""Checkpoints of a ledger of a million rows: building its tree once, and the proofs that anyone may ask for."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from sqlalchemy import text

from benchmarks.report import Figure
from passer.adapters.note_key import Ed25519NoteSigner
from passer.adapters.store.database import Database
from passer.adapters.store.ledger_tree import DatabaseLedgerTree
from passer.services.provenance.checkpoints import Checkpoints

ROWS = 1_000_000
MANY_ROWS = """
    WITH RECURSIVE counted(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < :rows)
    INSERT INTO ledger (sequence, previous, digest, recorded_at, entry, identity, testid)
    SELECT number, printf('%064x', number - 1), printf('%064x', number), '2026-01-02T03:04:05Z', '{}',
           printf('%064x', number), 'abcdefghijkl' FROM counted
"""
"""Entries are short, because proofs do not read them. Made by SQLite: added one by one they take most of the time."""
GOAL_MS = 50.0


def measure(*, quick: bool) -> dict[str, Figure]:
    """Figures by name; the quick form asks for fewer proofs of the same ledger."""
    with tempfile.TemporaryDirectory(prefix="passer-bench-") as folder:
        database = Database(f"sqlite:///{Path(folder) / 'passer.sqlite3'}")
        with database.begin() as connection:
            connection.execute(text(MANY_ROWS), {"rows": ROWS})
        checkpoints = Checkpoints(
            DatabaseLedgerTree(database), Ed25519NoteSigner(lambda: "benchmark"), "example.org/log"
        )
        began = perf_counter()
        checkpoints.current()
        built = perf_counter() - began
        places = range(1, ROWS, ROWS // (20 if quick else 200))
        inclusion = [_seconds(checkpoints.prove, place) for place in places]
        consistency = [_seconds(checkpoints.continuation, place) for place in places]
        database.close()
    return {
        "tree_of_a_million_rows_s": Figure(built, "lower", "s"),
        "inclusion_proof_ms": Figure(1000 * statistics.median(inclusion), "lower", "ms", goal=GOAL_MS),
        "inclusion_proof_slowest_ms": Figure(1000 * max(inclusion), "lower", "ms", goal=GOAL_MS),
        "consistency_proof_ms": Figure(1000 * statistics.median(consistency), "lower", "ms", goal=GOAL_MS),
        "consistency_proof_slowest_ms": Figure(1000 * max(consistency), "lower", "ms", goal=GOAL_MS),
    }


def _seconds(prove: Callable[[int], object], place: int) -> float:
    began = perf_counter()
    prove(place)
    return perf_counter() - began
