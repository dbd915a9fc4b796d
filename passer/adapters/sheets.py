"""Reads result sheets from cells: header, question and answer, metric columns, footer."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from passer.adapters.tables.decoding import bytes_of
from passer.adapters.tables.worksheets import HiddenParts, hidden_parts
from passer.adapters.tables.xlsx import XlsxReader
from passer.domain.sheets.sheet import COLUMN_OF_LABEL, Place, Sheet, SheetRemarks, UnreadableCell, split_description
from passer.domain.texts.written_numbers import has_decimal_comma, parsed_number
from passer.domain.wording.sentence import sentence
from passer.errors import DatasetError, InputError, Problem

if TYPE_CHECKING:
    from passer.ports import TableContent

_FOOTER = "average"
_ID, _DESCRIPTION = "id", "description"
_SHOWN = 80


class XlsxSheetReader:
    """ports.SheetReader for .xlsx files; reads the first worksheet that is shown and names the others."""

    def __init__(self) -> None:
        self._workbooks = XlsxReader()

    def read(self, content: TableContent, *, path: str, place: Place) -> Sheet:
        content = bytes_of(content)
        try:
            cells = self._workbooks.grid(content)
            layout = _Layout(cells[0] if cells else (), hidden_parts(content))
            return layout.sheet(cells[1:], path, hashlib.sha256(content).hexdigest(), place)
        except InputError as exc:
            raise type(exc)(f"{path}: {exc}", field=exc.field, problems=exc.problems) from exc


class _Layout:
    """Columns of a sheet by their role."""

    def __init__(self, header: Sequence[Any], beside: HiddenParts) -> None:
        self.beside = beside
        labels = ["" if cell is None else str(cell).strip() for cell in header]
        low = [label.lower() for label in labels]
        if _DESCRIPTION not in low:
            raise DatasetError(sentence("sheet.no-description"))
        self.description = low.index(_DESCRIPTION)
        self.id = low.index(_ID) if _ID in low else None
        self.metrics = [(place, COLUMN_OF_LABEL[label]) for place, label in enumerate(low) if label in COLUMN_OF_LABEL]
        names = [name for _, name in self.metrics]
        twice = sorted({name for name in names if names.count(name) > 1})
        if not names or twice:
            raise DatasetError(
                sentence("sheet.column-twice", column=twice[0]) if twice else sentence("sheet.no-metric")
            )
        known = {"id", "date", "userid", "testid", _DESCRIPTION, *COLUMN_OF_LABEL}
        self.ignored = tuple(label for label, lower in zip(labels, low, strict=True) if label and lower not in known)

    def sheet(self, rows: Sequence[Sequence[Any]], path: str, digest: str, place: Place) -> Sheet:
        """Sort the rows of a sheet into scores, footer and blank rows."""
        texts = (_cell(row, place) for row in rows for place, _ in self.metrics)
        found = _Found(self, comma=any(isinstance(text, str) and has_decimal_comma(text) for text in texts))
        for number, row in enumerate(rows, start=2):
            found.add(number, row)
        if found.problems:
            raise DatasetError(
                sentence("sheet.bare-rows", n=len(found.problems)),
                problems=tuple(found.problems),
            )
        if not found.numbers:
            raise DatasetError(sentence("sheet.no-question"))
        last, numbers = max(found.numbers + found.footers), frozenset(found.numbers)
        values = np.array(found.values, dtype=np.float64).reshape(len(found.numbers), len(self.metrics))
        present = np.isfinite(values)
        return Sheet(
            path=path,
            digest=digest,
            model=place.model,
            threshold=place.threshold,
            columns=tuple(name for _, name in self.metrics),
            row_numbers=tuple(found.numbers),
            questions=tuple(found.questions),
            answers=tuple(found.answers),
            values=np.where(present, values, 0.0),
            present=present,
            remarks=SheetRemarks(
                footer_rows=tuple(found.footers),
                blank_rows=tuple(number for number in found.blanks if number < last),
                numbers_as_text=found.numbers_as_text,
                unreadable=tuple(found.unreadable),
                ignored_columns=self.ignored,
                further_worksheets=self.beside.further,
                hidden_rows=tuple(number for number in self.beside.hidden_rows if number in numbers),
            ),
        )


class _Found:
    """Collects the rows of a sheet."""

    def __init__(self, layout: _Layout, *, comma: bool) -> None:
        self._layout = layout
        self._comma = comma
        self.numbers: list[int] = []
        self.questions: list[str] = []
        self.answers: list[str] = []
        self.values: list[list[float]] = []
        self.footers: list[int] = []
        self.blanks: list[int] = []
        self.unreadable: list[UnreadableCell] = []
        self.problems: list[Problem] = []
        self.numbers_as_text = 0

    def add(self, number: int, row: Sequence[Any]) -> None:
        """Add the next row."""
        layout = self._layout
        if all(cell is None or cell == "" for cell in row):
            self.blanks.append(number)
            return
        description = _cell(row, layout.description)
        if description is None or not str(description).strip():
            if layout.id is not None and str(_cell(row, layout.id)).strip().lower() == _FOOTER:
                self.footers.append(number)
            elif all(_cell(row, place) in (None, "") for place, _ in layout.metrics):
                self.blanks.append(number)
            else:
                self._refuse(number, "The row has scores but no question. Delete it, or write the question.")
            return
        parts = split_description(str(description))
        if parts is None:
            self._refuse(number, "The Description is not of the form `question: ..., answer: ...`.")
            return
        self.numbers.append(number)
        # The same questions are in every sheet: intern the strings.
        self.questions.append(sys.intern(parts[0]))
        self.answers.append(parts[1])
        self.values.append([self._number(number, name, _cell(row, place)) for place, name in layout.metrics])

    def _refuse(self, number: int, message: str) -> None:
        # Problem counts data rows from 1; the header is row 1 of a sheet.
        self.problems.append(Problem(message, row=number - 1, field="Description"))

    def _number(self, row: int, column: str, cell: Any) -> float:
        """Return the number in a cell; NaN, and a note, if there is none."""
        value = math.nan
        if isinstance(cell, int | float) and not isinstance(cell, bool):
            value = float(cell)
        elif isinstance(cell, str):
            parsed = parsed_number(cell, comma=self._comma)
            value = math.nan if parsed is None else parsed
            self.numbers_as_text += math.isfinite(value)
        if not math.isfinite(value):
            text = "" if cell is None else str(cell)[:_SHOWN]
            self.unreadable.append(UnreadableCell(row=row, column=column, text=text))
            return math.nan
        return value


def _cell(row: Sequence[Any], place: int) -> Any:
    return row[place] if place < len(row) else None
