"""Imported sheets question by question, with references of the dataset and scores made again."""

from __future__ import annotations

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.auditor import audit_sheets
from passer.domain.sheets.questions import SheetPageQuery, SheetQuery
from passer.domain.sheets.sheet import SheetImport
from passer.errors import NotFoundError
from passer.services.sheets.sheet_browser import SheetBrowser
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock, FakeScorer
from tests.result_sheets import sheet

BASE, HIGH = "m/threshold_0.01.xlsx", "m/threshold_0.5.xlsx"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(FakeClock())


@pytest.fixture
def run_browser(store: MemoryStore) -> SheetBrowser:
    return SheetBrowser(imports=store, datasets=store, scorer=FakeScorer())


def keep(store: MemoryStore, **of: str) -> None:
    sheets = (sheet("m", None, {"one?": 0.1}, path=BASE), sheet("m", 0.5, {"One": 0.5, "two?": 0.2}, path=HIGH))
    audit = audit_sheets(sheets)
    store.save_import(
        SheetImport(id="sheets-a", name="study", created_at=FakeClock().now(), sheets=sheets, audit=audit, **of)
    )


def farm(store: MemoryStore) -> Dataset:
    dataset = Dataset(name="farm", questions=(Question(id="q1", text="one?", reference="so it was said"),))
    store.save_dataset(dataset)
    return dataset


def test_a_page_is_of_one_sheet_with_references_by_question(store, run_browser):
    dataset = farm(store)
    keep(store, dataset="farm", dataset_digest=dataset.digest)
    page = run_browser.page("sheets-a", SheetPageQuery(sheet=HIGH))
    assert (page.sheet.path, page.sheet.threshold, page.total) == (HIGH, 0.5, 2)
    assert [(item.question, item.reference) for item in page.items] == [("One", "so it was said"), ("two?", None)]
    assert run_browser.page("sheets-a", SheetPageQuery(sheet=BASE)).sheet.threshold is None


def test_scores_are_made_again_where_reference_and_answer_are_there(store, run_browser):
    dataset = farm(store)
    keep(store, dataset="farm", dataset_digest=dataset.digest)
    found = run_browser.recomputed("sheets-a", 0, path=HIGH)
    # One of four words of the reference is said.
    assert (found.scores["METEOR"].value, found.encoder, found.reason) == (0.25, "fake", None)
    assert set(found.scores) == set(VECTOR_ORDER)
    without = run_browser.recomputed("sheets-a", 1, path=HIGH)
    assert (without.scores, without.reason) == ({}, "no_reference")


def test_without_a_dataset_nothing_is_made_again(store, run_browser):
    keep(store)
    found = run_browser.recomputed("sheets-a", 0, path=HIGH)
    assert (found.scores, found.encoder, found.reason) == ({}, None, "no_dataset")
    keep(store, dataset="gone", dataset_digest="0" * 64)
    assert run_browser.page("sheets-a", SheetPageQuery(sheet=HIGH)).items[0].reference is None


def test_what_is_not_there_is_named(store, run_browser):
    keep(store)
    with pytest.raises(NotFoundError, match="no import 'sheets-b'"):
        run_browser.page("sheets-b", SheetPageQuery(sheet=HIGH))
    with pytest.raises(NotFoundError, match=r"study has no sheet 'x\.xlsx'"):
        run_browser.page("sheets-a", SheetPageQuery(sheet="x.xlsx"))
    with pytest.raises(NotFoundError, match="has rows 0 to 1, but no row 2"):
        run_browser.detail("sheets-a", 2, SheetQuery(sheet=HIGH))
