"""Published studies that are run again: the same table, or which configuration disagrees."""

from __future__ import annotations

import re
from typing import Any

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.cli.reproducing import print_reproduction
from passer.domain.bundle.verification import StudyResult
from passer.domain.dataset import Dataset
from passer.domain.study.reproduction import Reproduction, compared, sweep_of
from passer.domain.study.table import COLUMNS
from passer.errors import ConflictError, InputError
from passer.ports import DocumentSummary
from passer.services.provenance import study_composer
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.reproducer import Reproducer
from passer.services.provenance.verifier import Verifier
from tests.bundles import MadeRun, members_of, rebuilt
from tests.studies import PublishedSweep

DOCUMENTS = "documents, chunking or embedding model of the collection"


def reproducer(made: PublishedSweep) -> Reproducer:
    verifier = Verifier(BundleVerifier(recorded_actions))
    return Reproducer(verifier, made.study.planner, made.study.store, made.composer)


def test_a_study_that_is_run_again_has_the_same_table(published: PublishedSweep, study: bytes):
    again = PublishedSweep()
    service = reproducer(again)
    read = service.read(study)
    stored = service.start(read)
    assert stored.sweep.name == 'Reproduction of A "study"'
    assert [run.config for run in stored.runs] == [run.config for run in published.stored.runs]
    again.study.running.run(stored.id)
    found = service.compare(read, stored.id, 0.0)
    assert found.holds
    assert [row.configuration for row in found.rows] == ["Top-k 2", "Similarity ≥ 0.20", "Similarity ≥ 0.40"]
    assert all(cell.published == cell.here for row in found.rows for cell in row.cells)
    assert (found.differing, found.study) == ((), read.digest)
    assert service.compare(read, stored.id, None).tolerance == 0.02, "the margin of the design"


def test_the_same_file_read_in_another_way_is_another_document():
    def with_pdf(text: str | None) -> PublishedSweep:
        found = DocumentSummary(name="a.pdf", digest="0" * 64, passages=1, text=text)
        return PublishedSweep(prepare=lambda study: study.collections._documents.update(books={"0" * 64: found}))

    published = with_pdf("1" * 64).publish()
    for text, differing in (("1" * 64, ()), *((text, (DOCUMENTS,)) for text in ("2" * 64, None))):
        again = with_pdf(text)
        service = reproducer(again)
        read = service.read(published)
        stored = service.start(read)
        again.study.running.run(stored.id)
        assert service.compare(read, stored.id, 0.0).differing == differing


def test_a_repetition_names_no_outcome_where_the_study_has_no_verdict(monkeypatch: pytest.MonkeyPatch, capsys):
    sweep = PublishedSweep(0.4, 0.6, questions=12, margin=0.9)
    monkeypatch.setattr(study_composer, "format_of", lambda *_, **__: "passer-study-1")
    study = sweep.publish()
    assert members_of(study)["table.csv"].decode().count(",as_good,") == 2, "as this version had it"
    monkeypatch.undo()
    service = reproducer(sweep)
    read = service.read(study)
    stored = service.start(read)
    sweep.study.running.run(stored.id)
    found = service.compare(read, stored.id, 0.0)
    assert found.holds
    assert [(row.published_outcome, row.outcome) for row in found.rows] == [("", ""), *[("undecided", "undecided")] * 2]
    print_reproduction(found)
    printed = capsys.readouterr().out
    assert "as good" not in printed
    assert printed.count("conclusion     The results allow no verdict.") == 2, "of the study, and here"


def test_with_another_seed_every_question_is_asked_again(study: bytes):
    again = PublishedSweep()
    service, asked = reproducer(again), len(again.study.chat_model.asked)
    read = service.read(study)
    same = service.start(read)
    again.study.running.run(same.id)
    assert len(again.study.chat_model.asked) == asked, "stored answers are reused"
    stored = service.start(read, seed=7)
    assert {run.config.options.seed for run in stored.runs} == {7}
    again.study.running.run(stored.id)
    assert len(again.study.chat_model.asked) == 2 * asked
    # The model answers by the prompt alone, so that its new answers are the same.
    assert service.compare(read, stored.id, 0.0).holds


def test_another_dataset_and_files_that_are_no_study_are_refused(study: bytes):
    made = PublishedSweep()
    service = reproducer(made)
    questions = made.study.store.load_dataset("farm").questions
    made.study.store.save_dataset(Dataset(name="farm", questions=questions[1:]))
    with pytest.raises(ConflictError, match="The dataset farm is not the one of the study"):
        service.start(service.read(study))
    with pytest.raises(InputError, match="not a study"):
        service.read(MadeRun(questions=3).bundle("nowhere"))
    members = members_of(study)
    with pytest.raises(InputError, match="not verified"):
        service.read(rebuilt(members | {"table.csv": members["table.csv"].replace(b"finished", b"failed") + b"x"}))


def test_servers_never_come_from_a_study():
    model = {"provider": "ollama", "name": "mistral:7b", "base_url": "http://attacker.example:11434", "connection": "x"}
    design: dict[str, Any] = {
        "name": "Study",
        "config": {"dataset": "farm", "collection": "books", "model": model},
        "axes": {"model": [model]},
        "hypothesis": "It is better.",
    }
    sweep = sweep_of(design, name="Again")
    assert all((each.base_url, each.connection) == (None, None) for each in sweep.models)
    assert sweep.hypothesis is None
    with pytest.raises(InputError, match="not valid for this version"):
        sweep_of({"config": {}}, name="Again")


def row(name: str, **cells: str) -> list[str]:
    return [{"configuration": name, "model": "m", **cells}.get(column, "") for column in COLUMNS]


def test_rows_agree_within_the_tolerance_and_with_the_same_outcome():
    published = [
        list(COLUMNS), row("k = 5", value=".5"), row("a", value=".6", gain=".1", outcome="better"),
        row("b", value=".6", gain=".1", outcome="better"), row("c", value=".6"), row("d", value=".6"),
    ]  # fmt: skip
    here = [
        list(COLUMNS), row("a", value=".61", gain=".11", outcome="better"), row("k = 5", value=".5"),
        row("b", value=".6", gain=".1", outcome="inconclusive"), row("c", value=".63"), row("e", value=".6"),
    ]  # fmt: skip
    found = compared(published, here, tolerance=0.02)
    assert {each.configuration: each.agrees for each in found} == {
        "k = 5": True, "a": True, "b": False, "c": False, "d": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("primary", "heading", "gains", "within"),
    [
        ("CPS", "gain (points)", ("+1.20", "-0.40"), "0.02 (2 points)"),
        ("METEOR", "gain", ("+0.0120", "-0.0040"), "0.02"),
    ],
)
def test_gains_are_printed_in_the_unit_of_every_other_face(capsys, primary: str, heading: str, gains, within: str):
    tables = [[list(COLUMNS), row("a", value=".6", gain=gain)] for gain in (".012", "-.004")]
    rows = compared(*tables, tolerance=0.02)
    result = StudyResult(
        conclusions=(), unchecked_judge=None, planned_at="", finished_at="", dataset="d", questions=1, configurations=1,
        primary=primary, margin=0.02, alpha=0.05,
    )  # fmt: skip
    same = {"rows": rows, "differing": (), "published": result, "here": result}
    print_reproduction(Reproduction(study="0" * 64, sweep_id="s", primary=primary, tolerance=0.02, **same))
    head, line, *_, agreed = capsys.readouterr().out.splitlines()
    assert re.split(r"\s{2,}", head.strip())[4:6] == [heading, "reproduced"]
    assert tuple(line.split()[4:6]) == gains
    assert agreed == f"1 of 1 configurations agree within {within}, with the same outcome."
