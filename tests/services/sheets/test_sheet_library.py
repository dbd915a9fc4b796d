"""Importing a study's sheets: whole or not at all, audited first, analysed by a named procedure."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook

from passer.adapters.sheets import XlsxSheetReader
from passer.domain.analysis.choices import SheetChoices
from passer.domain.dataset import Dataset, Question
from passer.domain.score import Score
from passer.errors import InputError, NotFoundError
from passer.services.sheets.sheet_library import ID_PREFIX, ImportDetail, SheetLibrary
from passer.services.sheets.sheet_sources import study_name
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.result_sheets import row_of, write_sheet


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(FakeClock())


@pytest.fixture
def sheet_library(store: MemoryStore) -> SheetLibrary:
    return SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock())


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    write_sheet(folder / "m" / "threshold_0.01.xlsx", [row_of("one?", 0.0), row_of("two?", 0.5)])
    write_sheet(folder / "m" / "threshold_0.5" / "export.xlsx", [row_of("one?", 0.5), row_of("two?", 0.8)])
    write_sheet(folder / "m-0.6.xlsx", [row_of("one?", 0.2), row_of("two?", 1.0)])
    return folder


def farm() -> Dataset:
    questions = [Question(id=text, text=text, reference="yes") for text in ("one?", "two?")]
    return Dataset(name="farm", questions=tuple(questions))


def test_all_three_layouts_become_one_study(sheet_library, store, study):
    imported = sheet_library.import_folder(study)
    assert imported.id.startswith(ID_PREFIX)
    assert (imported.name, imported.models, imported.rows) == ("study", ("m",), 6)
    assert [sheet.threshold for sheet in imported.sheets] == [None, 0.5, 0.6]
    [summary] = store.list_imports()
    assert (summary.id, summary.sheets, summary.rows) == (imported.id, 3, 6)
    analysis = sheet_library.analyse(imported.id, SheetChoices(procedure="corrected", labels={"m": "Model"}))
    assert analysis.import_id == imported.id
    assert [(item.model, item.threshold) for item in analysis.configurations] == [
        ("Model", None), ("Model", 0.5), ("Model", 0.6),
    ]  # fmt: skip


def test_a_name_is_one_line_that_every_database_holds(sheet_library, study):
    assert sheet_library.import_folder(study, name=" First\r\n\0 study\ud800 ").name == "First study?"


def test_the_same_sheets_have_the_same_id_and_others_another(sheet_library, study):
    first = sheet_library.import_folder(study).id
    assert sheet_library.import_folder(study).id == first
    write_sheet(study / "m" / "threshold_0.7.xlsx", [row_of("one?", 0.5)])
    assert sheet_library.import_folder(study).id != first


def test_another_name_of_the_same_sheets_renames_the_import_and_says_so(sheet_library, store, study):
    first = sheet_library.import_folder(study)
    assert first.former_name is None
    again = sheet_library.import_folder(study, name="Second")
    assert (again.id, again.name, again.former_name) == (first.id, "Second", "study")
    detail = ImportDetail.of(again)
    assert detail.former_name == "study"
    assert sheet_library.import_folder(study, name="Second").former_name is None, "it has this name already"
    assert sheet_library.import_folder(study).name == "Second", "without a name it keeps the one that it has"
    assert [each.name for each in store.list_imports()] == ["Second"]


def test_one_bad_sheet_stops_all_and_every_bad_one_is_named(sheet_library, store, study):
    write_sheet(study / "m" / "threshold_0.8.xlsx", [["x"]], columns=["other"])
    (study / "m" / "threshold_0.9.xlsx").write_bytes(b"nothing")
    with pytest.raises(InputError, match="Nothing was imported because of 2 of 5 sheets") as caught:
        sheet_library.import_folder(study)
    assert "m/threshold_0.8.xlsx" in caught.value.message
    assert "m/threshold_0.9.xlsx" in caught.value.problems[0].message
    assert store.list_imports() == []


def test_two_sheets_of_one_configuration_are_refused_but_for_the_copy_with_cps(sheet_library, study):
    copy = study / "m" / "threshold_0.5" / "export_with_global_cps.xlsx"
    write_sheet(copy, [row_of("one?", 0.5), row_of("two?", 0.8)])
    audit = sheet_library.read_folder(study).audit
    [twin] = [finding for finding in audit.findings if finding.kind == "skipped_twins"]
    assert twin.listed == ("m/threshold_0.5/export_with_global_cps.xlsx",)
    assert "second copy of a sheet that was read" in twin.message
    assert not audit.is_partial, "nothing of the study is missing"
    copy.rename(copy.with_name("second.xlsx"))
    with pytest.raises(InputError, match=r"export.xlsx and .*second.xlsx are both threshold 0.5 of m"):
        sheet_library.read_folder(study)


def test_files_that_are_no_sheets_are_left_alone_and_listed(sheet_library, study):
    (study / "notes.txt").write_text("no sheet")
    (study / "m" / "~$threshold_0.5.xlsx").write_text("a lock")
    write_sheet(study / "summary.xlsx", [["x"]], columns=["other"])
    (study / "m-0.7.csv").write_text("id")
    audit = sheet_library.read_folder(study).audit
    unread = {f.kind: f.listed for f in audit.findings if f.kind in ("ignored_files", "other_formats")}
    assert unread == {"ignored_files": ("summary.xlsx",), "other_formats": ("m-0.7.csv",)}
    assert audit.is_partial


def test_worksheets_after_the_first_are_listed_unless_they_are_empty(sheet_library, study):
    path = study / "m-0.6.xlsx"
    book = load_workbook(path)
    book.create_sheet("Sheet2")
    book.create_sheet("Run 2").append(["id", 1])
    book.save(path)
    audit = sheet_library.read_folder(study).audit
    [found] = [finding for finding in audit.findings if finding.kind == "further_worksheets"]
    assert (found.sheets, found.listed) == (("m-0.6.xlsx",), ("m-0.6.xlsx: Run 2",))


def test_rows_that_a_filter_hides_are_read_and_listed(sheet_library, study):
    path = study / "m-0.6.xlsx"
    before = sheet_library.read_folder(study)
    book = load_workbook(path)
    for number in (1, 3):
        book.active.row_dimensions[number].hidden = True
    book.save(path)
    found = sheet_library.read_folder(study)
    [finding] = [each for each in found.audit.findings if each.kind == "hidden_rows"]
    assert (finding.severity, finding.listed) == ("attention", ("m-0.6.xlsx: row 3",))
    assert [len(sheet.questions) for sheet in found.sheets] == [len(sheet.questions) for sheet in before.sheets]
    assert "hidden_rows" not in {each.kind for each in before.audit.findings}


def test_a_folder_without_sheets_and_a_file_are_refused(sheet_library, tmp_path, study):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="no result sheet"):
        sheet_library.import_folder(empty)
    with pytest.raises(InputError, match="not a folder"):
        sheet_library.import_folder(study / "m-0.6.xlsx")


def test_a_sheet_beyond_the_limit_is_refused_unread(store, study):
    small = SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock(), max_bytes=100)
    with pytest.raises(InputError, match="larger than"):
        small.import_folder(study)


def test_an_archive_that_unpacks_to_too_much_is_refused_unread(store, tmp_path):
    small = SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock(), max_bytes=1_000)
    archive = tmp_path / "study.zip"
    for sheets, problem in ((20, "not a|damaged|cannot be read"), (21, "unpacks to more than")):
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
            for number in range(sheets):
                out.writestr(f"m-0.{number:02d}.xlsx", bytes(1_000))
        with pytest.raises(InputError, match=problem):
            small.import_uploads([("study.zip", archive)], name="study")


def test_a_folder_of_more_sheets_than_a_study_has_is_refused_unread(sheet_library, study, monkeypatch):
    monkeypatch.setattr("passer.services.sheets.sheet_library.MAX_SHEETS", 1)
    with pytest.raises(InputError, match=r"There are 3 sheets; the limit is 1\. Import them in parts\."):
        sheet_library.import_folder(study)


def test_references_are_checked_where_the_scores_can_be_made_again(store, study):
    def differing(pairs, column):
        return [{column: Score(value=0.99)} for _ in pairs]

    able = SheetLibrary(imports=store, reader=XlsxSheetReader(), datasets=store, clock=FakeClock(), recompute=differing)
    store.save_dataset(farm())
    imported = able.import_folder(study, dataset="farm")
    assert (imported.dataset, imported.dataset_digest) == ("farm", farm().digest)
    assert [f.count for f in imported.audit.findings if f.kind == "suspected_references"] == [3, 3]
    with pytest.raises(NotFoundError, match="nowhere"):
        able.import_folder(study, dataset="nowhere")


def test_without_that_the_audit_says_what_it_left_out(sheet_library, study):
    audit = sheet_library.import_folder(study, dataset=farm()).audit
    assert audit.not_checked == (
        "Reference answers were not checked: the published METEOR and ROUGE cannot be computed in this installation.",
    )


def test_an_import_that_is_not_there(sheet_library):
    with pytest.raises(NotFoundError, match="sheets-none"):
        sheet_library.analyse("sheets-none", SheetChoices(procedure="corrected"))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_sheet_of_an_archive_is_named(sheet_library, store, study, tmp_path, method):
    archive = tmp_path / "study.zip"
    with zipfile.ZipFile(archive, "w", compression=method) as packed:
        packed.write(study / "m" / "threshold_0.01.xlsx", "m/threshold_0.01.xlsx")
        written = packed.infolist()[0]
    content = bytearray(archive.read_bytes())
    start = written.header_offset + 30 + len(written.filename)
    content[start + 10 : start + written.compress_size] = bytes(written.compress_size - 10)
    archive.write_bytes(content)
    with pytest.raises(InputError, match=r"threshold_0\.01"):
        sheet_library.import_uploads([("study.zip", archive)])
    assert store.list_imports() == []


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (["study.zip"], "study"),
        (["one.zip", "two.zip"], "one, two"),
        (["study/m/threshold_0.5.xlsx", "study/m-0.6.xlsx"], "study"),
        (["llama3.1/threshold_0.5.xlsx", "llama3.1/threshold_0.6.xlsx"], "llama3.1"),
        (["llama3.1-0.5.xlsx", "llama3.1-baseline.xlsx"], "llama3.1"),
        ([f"{model}-0.5.xlsx" for model in "abc"], "a, b, c"),
        ([f"{model}-0.5.xlsx" for model in "abcd"], "a, b, c, …"),
    ],
)
def test_an_upload_is_named_after_its_files(files: list[str], name: str):
    assert study_name([(file, Path(file)) for file in files]) == name
