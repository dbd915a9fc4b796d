"""Tables with what a page needs to show them: headings, how numbers are written, and words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from passer.domain.analysis import result_tables
from passer.domain.analysis.result_tables import named_tables
from passer.domain.analysis.study_configuration import StudyConfiguration
from passer.domain.analysis.study_table import StudyTable
from passer.domain.analysis.verdict_tables import verdict_tables
from passer.domain.texts.cell_text import heading
from passer.domain.timing import tables as timing_tables
from passer.domain.wording.sentence import code_of, reading

TABLE = StudyTable(
    columns=("name", "effect", "gain", "spread", "p_holm", "n", "coverage", "threshold", "improvement_pct", "mean_cps"),
    rows=(
        ("small", "small", 0.0123, 0.1, 0.0123, 60, 0.5, "baseline", 4.5, 1.0),
        ("mistral", "ns", None, None, None, 59, 1.0, 0.55, -4.5, 0.5),
    ),
)


def test_columns_have_headings_with_units_and_kinds() -> None:
    [table] = named_tables({"configurations": TABLE})
    found = dict(zip(TABLE.columns, table.columns, strict=True))
    assert {name: column.kind for name, column in found.items()} == {
        "name": "four", "effect": "four", "gain": "points", "spread": "size", "p_holm": "p", "n": "count",
        "coverage": "share", "threshold": "threshold", "improvement_pct": "gain", "mean_cps": "four",
    }  # fmt: skip
    assert found["gain"].heading == "gain (points)"


def test_words_of_a_column_are_those_of_the_reader() -> None:
    [table] = named_tables({"configurations": TABLE})
    with reading("bg"):
        shown = [column.model_dump(mode="json") for column in table.columns]
    words = {name: column["words"] for name, column in zip(TABLE.columns, shown, strict=True)}
    assert words["effect"] == {"small": "малък"}, "ns is a mark, not a word"
    assert words["threshold"] == {"baseline": "база"}
    assert shown[0]["heading"] == "име"


def test_every_column_of_a_verdict_and_of_times_has_a_heading_in_both_languages() -> None:
    found = SimpleNamespace(conclusions=(), exploratory=(), arms=(), identical=())
    analysis = SimpleNamespace(verdict=found, configurations=(), standing=None, rule=SimpleNamespace(primary="CPS"))
    columns = {name for table in verdict_tables(analysis).values() for name in table.columns}
    assert [name for name in (*columns, *timing_tables._TIMINGS) if code_of(heading(name)) is None] == []


def test_every_column_of_the_tables_of_configurations_has_a_heading_in_both_languages() -> None:
    # Without a message `column.NAME` the page shows the name of the column, also to readers of Bulgarian.
    analysis = SimpleNamespace(configurations=(), rule=SimpleNamespace(primary="F1 Score"))
    columns = (*result_tables._results(analysis).columns, *StudyConfiguration.model_fields, *result_tables._JUDGED)
    shown = [name for name in columns if name not in ("judged", "is_ranked", "strategy")]
    assert [name for name in shown if code_of(heading(name)) is None and "F1" not in name] == []


@pytest.mark.parametrize(
    ("column", "code", "bulgarian"),
    [
        ("cause", "gold_absent", "Еталонният пасаж не е в колекцията"),
        ("remedy", "documents", "документи"),
        ("grouping", "length", "дължина на въпроса"),
        ("decisive", "doubled_rows", "удвоени редове"),
        ("above_chance", "yes", "да"),
    ],
)
def test_codes_are_shown_as_words(column: str, code: str, bulgarian: str) -> None:
    (shown,) = named_tables({"t": StudyTable(columns=(column,), rows=((code,),))})[0].columns
    with reading("bg"):
        assert shown.model_dump(mode="json")["words"] == {code: bulgarian}


def test_columns_of_planned_questions_count_points() -> None:
    assert [heading(f"questions_for_{points}_points") for points in ("0.5", "1", "2")] == [
        "questions for 0.5 points",
        "questions for 1 point",
        "questions for 2 points",
    ]
