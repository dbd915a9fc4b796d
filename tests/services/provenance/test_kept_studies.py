"""Published studies whose circumstances have changed since: their files are written as they were entered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from passer.adapters.store.database import Database
from passer.adapters.store.imports import DatabaseImports
from passer.adapters.store.studies import DatabaseStudies
from passer.errors import ConflictError, NotFoundError
from passer.services.provenance.published_study import ComposedStudy, Publication, StudyPublisher
from tests.sheet_studies import IMPORT, LABELS, OneImport, composer, sheets
from tests.studies import PUBLICATION, PublishedSweep, StubRecorder


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    yield opened
    opened.close()


@pytest.fixture
def publisher(database: Database) -> StudyPublisher:
    return StudyPublisher(StubRecorder(), studies=DatabaseStudies(database))


def file_of(publisher: StudyPublisher, composed: ComposedStudy, *, record: bool = False) -> bytes:
    with publisher.study(composed, record=record) as stream:
        return stream.read()


@pytest.mark.parametrize("changes", [{}, {"texts": False}, {"prompts": True}])
def test_another_sweep_of_the_dataset_changes_a_new_study_and_not_the_published_one(publisher, changes):
    made, publication = PublishedSweep(), Publication(**{**PUBLICATION.model_dump(), **changes})
    first = made.composer.compose(made.sweep.id, publication)
    saved = file_of(publisher, first, record=True)
    made.study.planner.create(made.stored.sweep)
    assert made.composer.compose(made.sweep.id, publication).digest != first.digest
    again = made.composer.again(publisher.kept(first.digest))
    assert file_of(publisher, again) == saved
    assert [each.is_kept for each in publisher.published(made.sweep.id)] == [True]


def test_a_study_of_sheets_keeps_the_version_that_published_it(publisher):
    first = composer().compose(IMPORT, PUBLICATION, LABELS)
    saved = file_of(publisher, first, record=True)
    later = replace(composer(), published_by="PaSSER later")
    assert later.compose(IMPORT, PUBLICATION, LABELS).digest != first.digest
    assert file_of(publisher, later.again(publisher.kept(first.digest))) == saved


def test_the_rows_of_sheets_go_with_their_import_and_the_entry_stays(publisher, database):
    first = composer().compose(IMPORT, PUBLICATION, LABELS)
    publisher.publish(first)
    DatabaseImports(database).save_import(OneImport(sheets()).imported)
    DatabaseImports(database).delete_import(IMPORT)
    with pytest.raises(NotFoundError, match="has no files of study"):
        publisher.kept(first.digest)
    assert [(each.digest, each.is_kept) for each in publisher.published(IMPORT)] == [(first.digest, False)]


def test_a_study_whose_run_has_changed_is_not_written_with_the_new_run(publisher):
    made = PublishedSweep()
    first = made.composer.compose(made.sweep.id, PUBLICATION)
    publisher.publish(first)
    kept = publisher.kept(first.digest)
    run = kept.document.runs[0].model_copy(update={"run_digest": "0" * 64})
    changed = kept.document.model_copy(update={"runs": (run, *kept.document.runs[1:])})
    with pytest.raises(ConflictError, match=f"^{run.name} has changed since"):
        made.composer.again(replace(kept, document=changed))


def test_a_study_that_was_not_published_here_has_no_file(publisher):
    with pytest.raises(NotFoundError, match="has no files of study 000000000000"):
        publisher.kept("0" * 64)
