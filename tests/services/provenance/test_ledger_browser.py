"""The content of a ledger compared with bundles and earlier exports."""

from __future__ import annotations

import csv
import io
import json

import pytest

from passer.adapters.tables import table_readers, table_writers
from passer.domain.ledger.entry import testid_of as name_of
from passer.errors import InputError
from passer.ports import LedgerQuery
from passer.services.analysis.sweep_results import SweepResults
from passer.services.exports.sweep_exporter import SweepExporter
from passer.services.exports.table_export import TableExport
from passer.services.provenance.bundle_writer import BundleWriter
from passer.services.provenance.ledger_browser import LedgerBrowser, LedgerComparison
from passer.services.provenance.outbox_poster import OutboxPoster
from passer.services.runs.run_browser import RunBrowser
from tests.fake_judged import NeverJudged
from tests.fake_outbox import FakeLedger
from tests.services.study import Study


class Recorded:
    """A study whose two runs are in a ledger."""

    def __init__(self, **given: object) -> None:
        self.study = Study(**given)
        sweep = self.study.running.run(self.study.create(0.3).id)
        self.sweep_id, self.run_ids = sweep.id, [run.id for run in sweep.runs]
        self.ledger = FakeLedger(self.study.clock)
        OutboxPoster(self.study.store.outbox, self.ledger, self.study.clock, self.study.store.work).post()
        self.ledger_browser = LedgerBrowser(ledger=self.ledger, tables=table_readers())

    def bundle(self) -> bytes:
        made = BundleWriter(
            manifest_builder=self.study.manifest_builder, outbox=self.study.store.outbox, ledger="local"
        )
        with made.bundle(self.run_ids[0]) as stream:
            return stream.read()

    def export(self, suffix: str) -> bytes:
        store = self.study.store
        run_browser = RunBrowser(runs=store, evaluations=store, datasets=store)
        table_export = TableExport(writers=table_writers())
        sweep_results = SweepResults(
            run_browser=run_browser,
            runs=store,
            evaluations=store,
            judged_columns=NeverJudged(),
        )
        exporter = SweepExporter(sweep_results, table_export)
        with exporter.export(self.sweep_id, table="evaluations", suffix=suffix) as stream:
            return stream.read()

    def change(self, place: int, **changes: object) -> None:
        """As a ledger would be that says something else."""
        receipt = self.ledger.recorded[place]
        entry = receipt.entry.model_copy(update=changes)
        self.ledger.recorded[place] = receipt.model_copy(update={"entry": entry})


def test_rows_are_found_by_the_runs_id_and_by_its_name_on_the_chain():
    made = Recorded()
    by_id = made.ledger_browser.page(LedgerQuery(), run=made.run_ids[1])
    by_name = made.ledger_browser.page(LedgerQuery(), run=name_of(made.run_ids[1]))
    assert by_id == by_name
    assert len(by_id.items) == 7
    assert len(list(made.ledger_browser.rows(LedgerQuery()))) == 14


def test_a_bundle_is_held_to_the_ledger_row_by_row():
    made = Recorded()
    bundle = made.bundle()
    found = made.ledger_browser.compare(bundle, name="run.zip")
    assert (found.equal, found.differs, found.missing, found.extra, found.holds) == (7, (), (), (), True)
    made.change(2, run_digest="9" * 64)
    found = made.ledger_browser.compare(bundle, name="run.zip")
    assert (found.equal, found.differs, found.holds) == (6, (f"run {made.run_ids[0]} question q2",), False)


def test_a_bundle_of_a_run_that_is_recorded_alone_is_held_to_its_one_row():
    made = Recorded(granularity="run")
    bundle = made.bundle()
    found = made.ledger_browser.compare(bundle, name="run.zip")
    assert (found.equal, found.missing, found.holds) == (1, (), True)
    made.ledger.recorded.clear()
    found = made.ledger_browser.compare(bundle, name="run.zip")
    assert (found.equal, found.missing, found.holds) == (0, (f"run {made.run_ids[0]}",), False)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".xlsx"])
def test_an_exported_sweep_is_held_to_the_ledger_score_by_score(suffix):
    made = Recorded()
    export = made.export(suffix)
    found = made.ledger_browser.compare(export, name=f"sweep{suffix}")
    assert (found.equal, found.differs, found.missing, found.extra, found.holds) == (12, (), (), (), True)
    assert "Not compared: texts" in found.compared
    results = list(made.ledger.recorded[0].entry.results)
    results[3] += 1e-9
    made.change(0, results=tuple(results))
    found = made.ledger_browser.compare(export, name=f"sweep{suffix}")
    assert (found.equal, found.differs) == (11, (f"run {made.run_ids[0]} question q0",))


def test_an_exported_score_that_was_changed_is_named():
    made = Recorded()
    rows = list(csv.DictReader(io.StringIO(made.export(".csv").decode("utf-8-sig"))))
    rows[4]["METEOR"] = "0.123"
    changed = io.StringIO()
    writer = csv.DictWriter(changed, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    found = made.ledger_browser.compare(changed.getvalue().encode(), name="sweep.csv")
    assert found.differs == (f"run {rows[4]['run_id']} question {rows[4]['question_id']}",)


def test_an_export_with_rows_left_out_or_repeated_does_not_hold():
    """A removed configuration, a removed question, a question counted twice."""
    made = Recorded()
    lines = made.export(".jsonl").decode().splitlines()

    def compared(kept: list[str]) -> LedgerComparison:
        found = made.ledger_browser.compare("\n".join(kept).encode(), name="sweep.jsonl")
        assert (found.differs, found.missing) == ((), ())
        return found

    runs = [json.loads(line)["run_id"] for line in lines]
    one_run = compared([line for line, run in zip(lines, runs, strict=True) if run == made.run_ids[0]])
    assert (one_run.equal, one_run.left_out, one_run.holds) == (6, (f"run {made.run_ids[1]}",), False)
    fewer = compared(lines[:4] + lines[5:])
    assert (len(fewer.left_out), fewer.holds) == (1, False)
    twice = compared([*lines, lines[3]])
    assert (len(twice.repeated), twice.holds) == (1, False)


def test_the_ledgers_own_export_is_held_to_it_in_every_field():
    made = Recorded()
    lines = [row.model_dump_json() for row in made.ledger_browser.rows(LedgerQuery())]
    assert made.ledger_browser.compare("\n".join(lines).encode(), name="rows.jsonl").equal == 14
    fewer = made.ledger_browser.compare("\n".join(lines[:-1]).encode(), name="rows.jsonl")
    assert (fewer.equal, len(fewer.extra), fewer.holds) == (13, 1, True)
    row = json.loads(lines[5])
    for field, value in (("recorded_at", "2001-01-01T00:00:00Z"), ("account", "mallory"), ("config_digest", "1" * 64)):
        changed = [*lines[:5], json.dumps({**row, field: value}), *lines[6:]]
        found = made.ledger_browser.compare("\n".join(changed).encode(), name="rows.jsonl")
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
        made.ledger_browser.compare(content, name=name)
