"""The rows of an imported sheet as questions: searched, filtered, sorted and paged, and single rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from passer.domain.base import IN_QUERY, Frozen
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sheets.audit import SheetPlace
from passer.domain.sheets.labels import check_labels, true_label
from passer.domain.sheets.sheet import Sheet
from passer.domain.sweeps.question_list import NUMBER, check_order, holds, words_of

SheetFilter = Literal["repeated", "incomplete"]
"""Only repeated questions; only rows that lack a score."""


PublishedReason = Literal["no_column", "empty_cell", "no_number"]
"""The sheet has no such column; the cell is empty; the cell contains no number."""
RecomputedReason = Literal["no_dataset", "no_reference", "no_answer"]
"""The import was checked against no dataset; the dataset does not hold the question, or is gone; there is no answer."""


class SheetQuery(Frozen):
    """Selection and order of rows of a sheet."""

    model_config = IN_QUERY

    sheet: str
    """Path of the sheet within the import, as the audit lists it."""
    find: str = Field(default="", max_length=200)
    """Words that question, reference and answer together must contain, ignoring case; empty matches all."""
    order: str = NUMBER
    """Sort key: `number` is the order of the sheet; or one of the 24 columns. Rows without a value come last."""
    is_descending: bool = False
    """Sort in descending order."""
    only: SheetFilter | None = None
    """Return only these rows; None returns all."""


class SheetPageQuery(SheetQuery):
    """The same, a page at a time."""

    after: int = Field(default=-1, ge=-1, le=2**31 - 1)
    """Number of rows to skip."""
    limit: int = Field(default=50, ge=1, le=500)
    """Maximum number of rows."""


class SheetQuestion(Frozen):
    """One row of a sheet."""

    number: int
    """Place among the sheet's rows, from 0."""
    row: int
    """Row number in a spreadsheet program: the header is row 1."""
    question: str
    """The question."""
    reference: str | None
    """Reference of the dataset that the import was checked against; None where it has none."""
    answer: str | None
    """Content of the sheet; None for an empty cell."""
    repeats: int
    """Number of rows of the sheet with this question, this one included."""
    scores: dict[str, float | None]
    """Scores by true column, those that the sheet has; None where the cell contains no number."""


class SheetQuestionPage(Frozen):
    """A page of a sheet's questions."""

    sheet: SheetPlace
    """Sheet that the rows belong to."""
    items: tuple[SheetQuestion, ...]
    """Rows in the order asked for."""
    total: int
    """Rows that fit, on all pages."""
    next: int | None
    """Value of `after` for the next page; None at the end."""


class PublishedScore(Frozen):
    """One of the 24 columns as the sheet has it."""

    metric: str
    """Column name."""
    label: str
    """Heading under which the sheet keeps it; another one where labels are shifted."""
    value: float | None
    """None where the sheet has none."""
    reason: PublishedReason | None
    """Reason why there is none."""
    text: str
    """Content of a cell without a number, its first 80 characters; otherwise empty."""


class SheetQuestionDetail(Frozen):
    """One row of a sheet with all details, and its neighbours in the requested order."""

    sheet: SheetPlace
    """Sheet of the row."""
    item: SheetQuestion
    """The row."""
    scores: tuple[PublishedScore, ...]
    """The 24 columns in vector order."""
    place: int | None
    """Place among those that were found, from 0; None where the filter leaves it out."""
    total: int
    """Number of matches."""
    previous: int | None
    """Number of the row before it; None for the first."""
    next: int | None
    """Number of the row after it; None for the last."""


class RecomputedScores(Frozen):
    """The 24 columns of a row made again from its answer and the dataset's reference."""

    scores: dict[str, Score]
    """Scores by column, by the published definitions; empty where they cannot be computed."""
    reason: RecomputedReason | None
    """Reason why there are none."""
    encoder: str | None
    """Encoder that computed the encoder's columns; None without an encoder."""


def true_columns(sheet: Sheet) -> dict[str, str]:
    """Return the label of each of the 24 columns in the sheet; as printed if shifted labels cannot be determined."""
    order = check_labels(sheet).order
    return {name: label for name in VECTOR_ORDER if (label := true_label(name, order)) in sheet.columns}


def found_rows(sheet: Sheet, query: SheetQuery, references: Mapping[str, str]) -> list[int]:
    """Return the places of the requested rows, in order; InputError for an unknown order.

    `references` are those of the dataset by question key.
    """
    counts = Counter(sheet.keys)
    check_order(query.order)
    wanted = words_of(query.find)
    lacking = [not row.all() for row in sheet.present]
    found = [
        place
        for place, key in enumerate(sheet.keys)
        if (query.only != "repeated" or counts[key] > 1)
        and (query.only != "incomplete" or lacking[place])
        and (not wanted or holds(_texts(sheet, place, references), wanted))
    ]
    if query.order == NUMBER:
        return found[::-1] if query.is_descending else found
    label = true_columns(sheet).get(query.order)
    if label is None:
        return found
    column, sign = sheet.columns.index(label), -1 if query.is_descending else 1
    # Equal rows keep the order of the sheet.
    return sorted(found, key=lambda place: (not sheet.present[place, column], sign * sheet.values[place, column]))


def question_page(sheet: Sheet, query: SheetPageQuery, references: Mapping[str, str]) -> SheetQuestionPage:
    """Return a page of rows from a place on."""
    found = found_rows(sheet, query, references)
    shown = found[query.after + 1 : query.after + 1 + query.limit]
    last = query.after + len(shown)
    return SheetQuestionPage(
        sheet=SheetPlace.of(sheet),
        items=tuple(_items(sheet, shown, references)),
        total=len(found),
        next=last if shown and last + 1 < len(found) else None,
    )


def question_detail(sheet: Sheet, number: int, query: SheetQuery, references: Mapping[str, str]) -> SheetQuestionDetail:
    """Return one row of the sheet; the place must exist."""
    found = found_rows(sheet, query, references)
    place = found.index(number) if number in found else None
    return SheetQuestionDetail(
        sheet=SheetPlace.of(sheet),
        item=_items(sheet, [number], references)[0],
        scores=tuple(_published(sheet, number)),
        place=place,
        total=len(found),
        previous=found[place - 1] if place else None,
        next=found[place + 1] if place is not None and place + 1 < len(found) else None,
    )


def _texts(sheet: Sheet, place: int, references: Mapping[str, str]) -> tuple[str, str, str]:
    """Question, reference and answer, those that exist."""
    answer = sheet.answers[place] if sheet.answers else ""
    return sheet.questions[place], references.get(sheet.keys[place], ""), answer


def _items(sheet: Sheet, places: Sequence[int], references: Mapping[str, str]) -> list[SheetQuestion]:
    counts = Counter(sheet.keys)
    columns = {name: sheet.columns.index(label) for name, label in true_columns(sheet).items()}
    return [
        SheetQuestion(
            number=place,
            row=sheet.row_numbers[place],
            question=sheet.questions[place],
            reference=references.get(sheet.keys[place]) or None,
            answer=(sheet.answers[place] or None) if sheet.answers else None,
            repeats=counts[sheet.keys[place]],
            scores={
                name: float(sheet.values[place, column]) if sheet.present[place, column] else None
                for name, column in columns.items()
            },
        )
        for place in places
    ]


def _published(sheet: Sheet, place: int) -> list[PublishedScore]:
    order = check_labels(sheet).order
    unreadable = {cell.column: cell.text for cell in sheet.remarks.unreadable if cell.row == sheet.row_numbers[place]}
    found = []
    for name in VECTOR_ORDER:
        label = true_label(name, order)
        text = unreadable.get(label, "")
        value, reason = _value(sheet, place, label), None
        if value is None:
            reason = _missing_reason(sheet, label, text)
        found.append(PublishedScore(metric=name, label=label, value=value, reason=reason, text=text))
    return found


def _value(sheet: Sheet, place: int, label: str) -> float | None:
    if label not in sheet.columns:
        return None
    column = sheet.columns.index(label)
    return float(sheet.values[place, column]) if sheet.present[place, column] else None


def _missing_reason(sheet: Sheet, label: str, text: str) -> PublishedReason:
    if label not in sheet.columns:
        return "no_column"
    return "no_number" if text else "empty_cell"
