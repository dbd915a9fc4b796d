"""Planned and actual counts, and what differs between runs, in words."""

from __future__ import annotations

from passer.domain.analysis.confounds import control_statement, differing_fields, flattened
from passer.domain.analysis.counts import counts_of_sheets
from tests.domain.sheets.test_procedures import read_folder
from tests.result_sheets import sheet


def rows(table):
    return {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}


def test_sheets_that_miss_and_repeat_questions():
    sheets = [
        sheet("a", None, {"one": 0.1, "two": 0.2, "three": 0.3}),
        sheet("a", 0.5, {"one": 0.1}, repeat={"one": 0.4}),
        sheet("b", 0.5, {"two": 0.1, "three": 0.5}),
    ]
    found = rows(counts_of_sheets(sheets, ["a", "a", "B"]))
    assert [found["a"][name] for name in ("planned", "actual", "distinct", "missing", "repeated")] == [6, 5, 4, 2, 1]
    assert [found["all"][name] for name in ("configurations", "planned", "actual", "missing")] == [3, 9, 7, 3]
    assert found["published, phase III"]["actual"] == 16_236


def test_the_published_study(test_data):
    sheets = read_folder(test_data / "phase3-sheets")
    found = rows(counts_of_sheets(sheets, [each.model for each in sheets]))["all"]
    assert (found["configurations"], found["questions"], found["planned"], found["actual"]) == (22, 371, 8_162, 8_158)
    # One sheet holds 185 of its 186 questions twice; the others lack 1, 1 and 2, and this one 185 of 371.
    assert (found["repeated"], found["missing"]) == (185, 189)


def test_what_differs_is_told_with_its_values():
    one = flattened({"model": {"name": "a", "url": None}, "k": 3})
    other = flattened({"model": {"name": "b"}, "k": 3, "new": True})
    assert one == {"model.name": "a", "k": "3"}
    fields = differing_fields([one, other, other])
    assert [(item.field, item.values) for item in fields] == [
        ("model.name", ("a", "b")), ("new", ("-", "True")),
    ]  # fmt: skip


def test_control_in_words():
    studied = ("retrieval", "dataset")
    assert control_statement([], studied=studied) == "controlled: no differences"
    assert (
        control_statement(["retrieval.k", "retrieval.mode"], studied=studied)
        == "controlled: only the retrieval setting differs"
    )
    assert control_statement(["dataset", "retrieval.k"], studied=studied) == (
        "controlled: only the retrieval setting, the dataset differ"
    )
    assert control_statement(["retrieval.k", "retrieval_2", "seed"], studied=studied) == (
        "confounded by retrieval 2, the seed"
    )
