"""`passer ledger` on the local ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from passer.adapters.store.database import Database
from passer.adapters.store.local_ledger import LocalLedger
from passer.adapters.store.runs import DatabaseRuns
from passer.domain.sweeps.run import RunState
from passer.ports import RunRecord
from tests.adapters.store.made import sweep
from tests.adapters.store.test_ledger_local import entry
from tests.fakes import FakeClock

RUN, OTHER = "sweep-000", "sweep-001"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two finished runs, one with a record."""
    database = Database(url(tmp_path))
    store = DatabaseRuns(database, FakeClock())
    store.create_sweep(sweep())
    store.set_state([RUN, OTHER], RunState.RUNNING)
    entries = tuple(entry(number) for number in range(3))
    store.finish(RUN, RunRecord(digest="a" * 64, manifest="{}", entries=entries), ledger="local")
    store.set_state([OTHER], RunState.FINISHED)
    database.close()
    return tmp_path


def url(home: Path) -> str:
    return f"sqlite:///{home / 'passer.sqlite3'}"


def test_what_waits_is_posted_and_shown_with_its_head(passer):
    assert passer("ledger", "head").out == "0 -\n"
    waiting = passer("ledger", "show", RUN, "--json").json
    assert [record["waiting"] for record in waiting["records"]] == [3]
    assert passer("ledger", "post", "--json").json == {"posted": 3, "waiting": 0, "unsettled": 0, "reasons": []}
    shown = passer("ledger", "show", RUN)
    assert "recorded" in shown.out
    head = passer("ledger", "head")
    number, digest = head.out.split()
    assert (number, len(digest)) == ("3", 64)
    assert "Publish the head elsewhere" in head.err
    assert passer("ledger", "verify", "--head", f"{number}:{digest}").status == 0
    assert passer("ledger", "verify", "--head", f"{number}:{'0' * 64}").status == 1
    refused = passer("ledger", "verify", "--head", f"{number} {digest}")
    assert (refused.status, "the number and the digest that `passer ledger head` prints" in refused.err) == (2, True)


def test_rows_are_listed_and_exported(passer, tmp_path):
    passer("ledger", "post")
    page = passer("ledger", "list", "--limit", "2", "--json").json
    assert [row["id"] for row in page["items"]] == ["1", "2"]
    assert page["next"] == "2"
    assert passer("ledger", "list", "--since", "2999-01-01", "--json").json["items"] == []
    assert "legacy" not in passer("ledger", "list").out
    out = passer("ledger", "export").out.splitlines()
    assert [json.loads(line)["id"] for line in out] == ["1", "2", "3"]
    file = tmp_path / "rows.jsonl"
    assert passer("ledger", "export", "-o", file).status == 0
    assert passer("ledger", "compare", file).status == 0
    file.write_text("\n".join(out).replace("0.5", "0.75"))
    different = passer("ledger", "compare", file)
    assert different.status == 1
    assert different.out.count("differs: ") == 3
    assert passer("ledger", "compare", tmp_path / "none").status == 2


def test_a_changed_row_is_found(passer, home):
    passer("ledger", "post")
    database = Database(url(home))
    with database.begin() as connection:
        connection.execute(text("DROP TRIGGER ledger_refuses_update"))
        connection.execute(text("UPDATE ledger SET entry = replace(entry, '0.5', '0.75') WHERE sequence = 2"))
    database.close()
    found = passer("ledger", "verify")
    assert (found.status, found.err) == (1, "Row 2 was changed after it was recorded.\n")


def test_a_run_without_a_record_is_told_how_to_get_one(passer):
    shown = passer("ledger", "show", OTHER)
    assert f"passer ledger record {OTHER}" in shown.err
    # It has no answers, so it cannot be described; a run that has them is recorded in tests/services.
    assert passer("ledger", "record", OTHER).status == 2
    assert passer("ledger", "record", "nothing-000").status == 2


def test_a_stranger_checks_rows_and_heads_with_a_key_alone(passer, home, tmp_path):
    key = passer("ledger", "key").out.strip()
    before, after, proof = (tmp_path / name for name in ("before", "after", "steps"))
    passer("ledger", "post")
    assert passer("ledger", "checkpoint", "-o", before).status == 0
    note = before.read_text()
    origin, size, _, empty, *signatures = note.splitlines()
    assert key.startswith(f"{origin}+")
    assert (size, empty, len(signatures)) == ("3", "", 1)
    assert passer("ledger", "checkpoint").out == note, "signed once"
    assert passer("ledger", "prove", "3").out.startswith("c2sp.org/tlog-proof@v1\nindex 2\n")
    assert passer("ledger", "prove", "4").status == 2
    assert passer("ledger", "prove", "nothing").status == 2
    database = Database(url(home))
    LocalLedger(database, FakeClock(), place="here").append([entry(7), entry(8)])
    database.close()
    assert passer("ledger", "consistency", before, "-o", proof).status == 0
    passer("ledger", "checkpoint", "-o", after)
    assert passer("ledger", "check", before, proof, "--key", key).status == 0
    forged = tmp_path / "forged"
    forged.write_text(note.replace("\n3\n", "\n2\n"))
    assert passer("ledger", "check", forged, proof, "--key", key).status == 2
    assert passer("ledger", "check", after, proof, "--key", key).status == 1
    assert passer("ledger", "verify").status == 0
