"""Rows of totals and averages below the questions of a sheet. They are no questions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from passer.domain.texts.written_numbers import parsed_number
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.services.library.column_mapping import LISTED

Rows = Sequence[tuple[int, Mapping[str, Any]]]

_REFERENCES = ("reference", *LISTED)
_GOLD = ("gold_passages", "contexts", "relevant")
_AROUND = " \t\n:.=*_#()[]–-"
_SUMMARY = re.compile(
    r"(?:(?:grand|overall|macro|micro)[ -]?)?"
    r"(?:sub-?totals?|totals?|sums?|averages?|avg|means?|medians?|std(?:[ .-]{0,2}dev)?"
    r"|standard deviation|minimum|min|maximum|max|count|summary|overall"
    r"|средно|средн[аи] (?:стойност|оценка|стойности|оценки)|общо|всичко|сума|сбор|медиана|стандартно отклонение"
    r"|минимум|максимум|брой|обобщение)"
    r"(?: (?:scores?|values?|of all))?(?: ?\(n ?= ?\d+\)?)?",
    re.IGNORECASE,
)
"""Must match the complete cell, because "Average of what?" is a question."""


def without_summaries(rows: Rows, columns: Mapping[str, str]) -> tuple[Rows, list[LocalizedText]]:
    """Return the rows without the summaries at their end, and a sentence that names these with their rows.

    A summary has no reference, and other rows have one or it has a number: queries alone may end with "Total".
    """
    end = len(rows)
    while end > 1 and _summary(rows[end - 1][1], columns):
        end -= 1
    some_have_references = any(_has_reference(row, columns) for _, row in rows[:end])
    left_out = [(number, row) for number, row in rows[end:] if some_have_references or _has_number(row, columns)]
    if not left_out:
        return rows, []
    numbers = {number for number, _ in left_out}
    named = tuple(f"“{_summary(row, columns)}”" for _, row in left_out)
    said = sentence("dataset.summary-rows", n=len(numbers), rows=tuple(map(str, numbers)), names=named)
    return [(number, row) for number, row in rows if number not in numbers], [said]


def _summary(row: Mapping[str, Any], columns: Mapping[str, str]) -> str:
    """Return the name of a summary row, such as "Average"; empty for other rows."""
    # With an id of its own, or gold passages, a word such as Mean is a question.
    asked = [text for text in _filled(row, columns, "question") if parsed_number(text) is None]
    cells = [*asked, *_filled(row, columns, "id")] or _filled(row, dict(zip(row, row, strict=True)), *row)[:1]
    is_summary = bool(cells) and all(_SUMMARY.fullmatch(cell.strip(_AROUND)) for cell in cells)
    return cells[0] if is_summary and not _filled(row, columns, *_REFERENCES, *_GOLD) else ""


def _filled(row: Mapping[str, Any], columns: Mapping[str, str], *names: str) -> list[str]:
    """Return the texts of a row in some columns of a dataset, without empty ones."""
    values = (row.get(columns[name]) for name in names if name in columns)
    return [text for value in values if value is not None and (text := str(value).strip())]


def _has_reference(row: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
    """Return whether a row has a right answer, or an empty list, which states that there is none."""
    return bool(_filled(row, columns, *_REFERENCES))


def _has_number(row: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
    """Return whether a cell that is not imported is a number."""
    others = (str(value) for column, value in row.items() if column not in columns.values() and value is not None)
    return any(parsed_number(text.strip()) is not None for text in others)
