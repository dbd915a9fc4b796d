"""What a ledger holds, beside bundles and exports of earlier."""

from __future__ import annotations

import csv
import io
import json

import pytest

from passer.adapters.tables import table_readers, table_writers
from passer.domain.ledger.entry import testid_of as name_of
from passer.errors import InputError
from passer.ports import LedgerQuery
from passer.services.bundling import Bundling
from passer.services.comparing import Comparing
from passer.services.exporting import Exporting
from passer.services.inspecting import Inspecting
from passer.services.posting import Posting
from passer.services.tracing import Tracing
from tests.fake_outbox import FakeLedger
from tests.services.study import Study


class Recorded:
    """A study whose two runs are in a ledger."""

    def __init__(self, **given: object) -> None:
        self.study = Study(**given)
        sweep = self.study.running.run(self.study.create(0.3).id)
        self.sweep_id, self.run_ids = sweep.id, [run.id for run in sweep.runs]
        self.ledger = FakeLedger(self.study.clock)
        Posting(self.study.store.outbox, self.ledger, self.study.clock).post()
        self.tracing = Tracing(ledger=self.ledger, tables=table_readers())

    def bundle(self) -> bytes:
        made = Bundling(describing=self.study.describing, outbox=self.study.store.outbox, ledger="local")
        with made.bundle(self.run_ids[0]) as stream:
            return stream.read()

    def export(self, suffix: str) -> bytes:
        store = self.study.store
        inspecting = Inspecting(runs=store, evaluations=store, datasets=store)
        exporting = Exporting(writers=table_writers())
        comparing = Comparing(inspecting=inspecting, runs=store, evaluations=store, exporting=exporting)
        with comparing.export(self.sweep_id, table="evaluations", suffix=suffix) as stream:
            return stream.read()

    def change(self, place: int, **changes: object) -> None:
        """As a ledger would be that says something else."""
        receipt = self.ledger.recorded[place]
        entry = receipt.entry.model_copy(update=changes)
        self.ledger.recorded[place] = receipt.model_copy(update={"entry": entry})


def test_rows_are_found_by_the_runs_id_and_by_its_name_on_the_chain():
    made = Recorded()
    by_id = made.tracing.page(LedgerQuery(), run=made.run_ids[1])
    by_name = made.tracing.page(LedgerQuery(), run=name_of(made.run_ids[1]))
    assert by_id == by_name
    assert len(by_id.items) == 7
    assert len(list(made.tracing.rows(LedgerQuery()))) == 14


def test_a_bundle_is_held_to_the_ledger_row_by_row():
    made = Recorded()
    bundle = made.bundle()
    found = made.tracing.compare(bundle, name="run.zip")
    assert (found.equal, found.differs, found.missing, found.extra, found.holds) == (7, (), (), (), True)
    made.change(2, run_digest="9" * 64)
    found = made.tracing.compare(bundle, name="run.zip")
    assert (found.equal, found.differs, found.holds) == (6, (f"run {made.run_ids[0]} question q2",), False)


def test_a_bundle_of_a_run_that_is_recorded_alone_is_held_to_its_one_row():
    made = Recorded(granularity="run")
    bundle = made.bundle()
    found = made.tracing.compare(bundle, name="run.zip")
    assert (found.equal, found.missing, found.holds) == (1, (), True)
    made.ledger.recorded.clear()
    found = made.tracing.compare(bundle, name="run.zip")
    assert (found.equal, found.missing, found.holds) == (0, (f"run {made.run_ids[0]}",), False)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".xlsx"])
def test_an_exported_sweep_is_held_to_the_ledger_score_by_score(suffix):
    made = Recorded()
    export = made.export(suffix)
    found = made.tracing.compare(export, name=f"sweep{suffix}")
    assert (found.equal, found.differs, found.missing, found.extra) == (12, (), (), ())
    results = list(made.ledger.recorded[0].entry.results)
    results[3] += 1e-9
    made.change(0, results=tuple(results))
    found = made.tracing.compare(export, name=f"sweep{suffix}")
    assert (found.equal, found.differs) == (11, (f"run {made.run_ids[0]} question q0",))


def test_an_exported_score_that_was_changed_is_named():
    made = Recorded()
    rows = list(csv.DictReader(io.StringIO(made.export(".csv").decode("utf-8-sig"))))
    rows[4]["METEOR"] = "0.123"
    changed = io.StringIO()
    writer = csv.DictWriter(changed, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    found = made.tracing.compare(changed.getvalue().encode(), name="sweep.csv")
    assert found.differs == (f"run {rows[4]['run_id']} question {rows[4]['question_id']}",)


def test_the_ledgers_own_export_is_held_to_it_in_every_field():
    made = Recorded()
    lines = [row.model_dump_json() for row in made.tracing.rows(LedgerQuery())]
    assert made.tracing.compare("\n".join(lines).encode(), name="rows.jsonl").equal == 14
    fewer = made.tracing.compare("\n".join(lines[:-1]).encode(), name="rows.jsonl")
    assert (fewer.equal, len(fewer.extra), fewer.holds) == (13, 1, True)
    row = json.loads(lines[5])
    for field, value in (("recorded_at", "2001-01-01T00:00:00Z"), ("account", "mallory"), ("config_digest", "1" * 64)):
        changed = [*lines[:5], json.dumps({**row, field: value}), *lines[6:]]
        found = made.tracing.compare("\n".join(changed).encode(), name="rows.jsonl")
        assert found.differs == (row["description"],), field


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "empty.csv"),
        (b"a,b\n1,2\n", "other.csv"),
        (b"what", "what.pdf"),
        (b"PK\x05\x06" + bytes(18), "empty.zip"),
        (b'{"testid": 1, "results": 2}', "rows.jsonl"),
    ],
)
def test_what_is_no_export_is_refused_in_one_sentence(content, name):
    made = Recorded()
    with pytest.raises(InputError, match=name.partition(".")[0]):
        made.tracing.compare(content, name=name)
