"""Tables are made of values, column by column."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.analysis.study_table import StudyTable, tabulate, with_rows, yes_or_no


@dataclass
class Interval:
    low: float


@dataclass
class Item:
    name: str
    ci: Interval | None


def test_a_column_is_an_attribute_a_path_or_a_function() -> None:
    items = [Item("a", Interval(0.5)), Item("b", None)]
    table = tabulate(
        ("name", "ci_low", "known"), items, {"ci_low": "ci.low", "known": lambda item: yes_or_no(item.ci is not None)}
    )
    assert table.columns == ("name", "ci_low", "known")
    assert table.rows == (("a", 0.5, "yes"), ("b", None, "no"))
    assert yes_or_no(None) is None


def test_a_table_without_rows_is_left_out() -> None:
    empty, full = StudyTable(columns=("n",), rows=()), StudyTable(columns=("n",), rows=((1,),))
    assert with_rows({"empty": empty, "full": full}) == {"full": full}
