"""Result sheets read from real workbooks."""

from __future__ import annotations

import time
from pathlib import Path

import openpyxl
import pytest

from passer.adapters.sheets import XlsxSheetReader
from passer.adapters.tables.worksheets import HiddenParts
from passer.adapters.tables.xlsx import XlsxReader
from passer.domain.score import VECTOR_ORDER
from passer.domain.sheets.labels import check_labels
from passer.domain.sheets.sheet import Place, Sheet
from passer.errors import DatasetError
from tests.result_sheets import header, row_of, vector, write_sheet


def read(path: Path) -> Sheet:
    return XlsxSheetReader().read(path.read_bytes(), path="m/threshold_0.5.xlsx", place=Place("m", 0.5))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sheet.xlsx"


def test_rows_footer_and_blanks(file):
    footer = ["Average", None, None, None, None, *["=AVERAGE(F2:F3)"] * len(VECTOR_ORDER)]
    write_sheet(file, [row_of("one?", 0.1, answer="a, b"), [], row_of("two?", 0.2), [7], footer])
    sheet = read(file)
    assert (sheet.questions, sheet.answers, sheet.row_numbers) == (("one?", "two?"), ("a, b", "said"), (2, 4))
    assert (sheet.model, sheet.threshold, len(sheet.digest)) == ("m", 0.5, 64)
    assert sheet.columns == VECTOR_ORDER
    assert dict(zip(sheet.columns, sheet.values[0], strict=True)) == vector(0.1)
    assert sheet.present.all()
    assert (sheet.remarks.footer_rows, sheet.remarks.blank_rows) == ((6,), (3, 5))


def test_text_in_metric_cells_is_a_number_or_missing_and_named(file):
    row = row_of("one?", 0.1)
    place = header().index
    row[place("METEOR")], row[place("BLEU")], row[place("F1 score")] = " 0.25 ", "n/a", None
    row[place("Rouge-l.f")] = "nan"
    write_sheet(file, [row])
    sheet = read(file)
    assert sheet.column("METEOR").tolist() == [0.25]
    missing = {name for name, there in zip(sheet.columns, sheet.present[0], strict=True) if not there}
    assert missing == {"BLEU", "F1 Score", "Rouge-l.f"}
    assert sheet.remarks.numbers_as_text == 1
    assert [(cell.row, cell.column, cell.text) for cell in sheet.remarks.unreadable] == [
        (2, "BLEU", "n/a"), (2, "Rouge-l.f", "nan"), (2, "F1 Score", ""),
    ]  # fmt: skip


def test_numbers_as_other_locales_and_tools_write_them(file):
    rows = [row_of("one?", 0.1), row_of("two?", 0.2), row_of("three?", 0.3)]
    place = header().index
    for row, text in zip(rows, ("0,25", "25,5 %", "0,5"), strict=True):
        row[place("METEOR")] = text
    rows[0][place("Laplace Perplexity")], rows[1][place("Laplace Perplexity")] = "1.234,5", "1.234"
    write_sheet(file, rows)
    sheet = read(file)
    assert sheet.column("METEOR").tolist() == [0.25, 0.255, 0.5]
    assert sheet.column("Laplace Perplexity").tolist()[:2] == [1234.5, 1234]
    assert (sheet.remarks.numbers_as_text, sheet.remarks.unreadable) == (5, ())


def test_a_number_that_could_be_two_is_missing_and_named(file):
    row = row_of("one?", 0.1)
    row[header().index("Laplace Perplexity")] = "1,234"
    write_sheet(file, [row])
    assert [cell.text for cell in read(file).remarks.unreadable] == ["1,234"]


@pytest.mark.parametrize("quick", [True, False])
def test_the_first_sheet_that_is_shown_is_read_and_the_hidden_one_named(file, monkeypatch, quick):
    write_sheet(file, [row_of("one?", 0.1)])
    book = openpyxl.load_workbook(file)
    shown = book.copy_worksheet(book.active)
    shown["E2"] = "question: new?, answer: said"
    shown.title, book.active.sheet_state = "final", "hidden"
    book.save(file)
    if not quick:
        monkeypatch.setattr("passer.adapters.tables.xlsx.quick_grid", lambda content: None)
    sheet = read(file)
    assert len(sheet.remarks.further_worksheets) == 1
    assert "final" not in sheet.remarks.further_worksheets
    assert "new?" in sheet.questions[0]


def test_many_hidden_rows_are_found_in_one_pass(file, monkeypatch):
    rows = [("Description", "METEOR"), *((f"question: {number}?, answer: a", 0.5) for number in range(30_000))]
    hidden = tuple(range(2, len(rows) + 1))
    monkeypatch.setattr(XlsxReader, "grid", lambda self, content: rows)
    monkeypatch.setattr(
        "passer.adapters.sheets.hidden_parts", lambda content: HiddenParts(hidden_rows=(1, *hidden, 40_000))
    )
    file.write_bytes(b"PK")
    began = time.process_time()
    assert read(file).remarks.hidden_rows == hidden
    assert time.process_time() - began < 3


def test_the_oldest_spelling_and_further_columns(file):
    names = ["BLUE" if name == "BLEU" else name for name in header()]
    write_sheet(file, [[*row_of("one?", 0.1), 0.5312, 12]], columns=[*names, "CPS", "Elapsed time"])
    sheet = read(file)
    assert set(sheet.columns) == set(VECTOR_ORDER)
    assert sheet.remarks.ignored_columns == ("CPS", "Elapsed time")


@pytest.mark.parametrize(
    ("rows", "columns", "problem"),
    [
        ([["a", 1]], ["question", "METEOR"], "no column `Description`"),
        ([["question: a, answer: b"]], ["Description"], "no metric column"),
        ([["question: a, answer: b", 1, 2]], ["Description", "BLEU", "BLUE"], "names the column “BLEU” twice"),
        ([["only text", 1]], ["Description", "METEOR"], "1 row has neither question nor answer"),
        ([[None, 1]], ["Description", "METEOR"], "1 row has neither question nor answer"),
        ([[None, None]], ["Description", "METEOR"], "It contains no question"),
    ],
)
def test_what_is_no_result_sheet_is_refused_by_name(file, rows, columns, problem):
    write_sheet(file, rows, columns=columns)
    with pytest.raises(DatasetError, match=f"^m/threshold_0.5.xlsx: .*{problem}") as caught:
        read(file)
    assert all(found.row == 1 for found in caught.value.problems)


def test_what_is_no_workbook_is_refused_by_name(file):
    file.write_bytes(b"PK no workbook")
    with pytest.raises(DatasetError, match=r"^m/threshold_0.5.xlsx: "):
        read(file)


def test_the_sheets_of_the_three_phases(test_data):
    pilot = read(test_data / "phase2-sheets" / "orca-0.65.xlsx")
    assert (len(pilot), len(pilot.columns), pilot.remarks.numbers_as_text) == (101, 16, 1616)
    study = read(test_data / "phase3-sheets" / "mistral" / "threshold_0.01.xlsx")
    assert (len(study), len(study.columns)) == (369, 24)
    follow_up = read(test_data / "followup-sheets" / "granite-collaborative.xlsx")
    assert (len(follow_up), follow_up.columns) == (100, VECTOR_ORDER)
    assert [check_labels(sheet).order for sheet in (pilot, study, follow_up)] == ["shifted", "shifted", "right"]
    assert "Retrieval Time (ms)" in follow_up.remarks.ignored_columns
    assert all(sheet.present.all() for sheet in (pilot, study, follow_up))
