"""rows.jsonl: the rows of imported result sheets in a study, and the runs that an analysis makes of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field, ValidationError

from passer.domain.analysis.levels import level_name
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.base import Count, Frozen
from passer.domain.bundle.documents import Violation, read_document
from passer.domain.dataset import Question
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import VECTOR_ORDER, Score, ScoreRow
from passer.domain.sheets.labels import check_labels, possible, true_label
from passer.domain.sheets.sheet import Place, Sheet, SheetRemarks
from passer.domain.study.document import StudyDocument, StudySheet
from passer.domain.sweeps.run import RunConfig

LONGEST_ID = 200
_ARMS = 10_000
"""Sheets of one study at most; their places tell configurations apart where nothing is known of retrieval."""


class SheetRow(Frozen):
    """One row of one sheet, as the file has it."""

    sheet: Count
    """Position in `sheets` of study.json."""
    row: Count
    """Row in the file: the header is row 1."""
    id: Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]
    """Key by which questions are matched: lower-cased letters and digits, or the SHA-256 of a longer one.

    Where texts are withheld it is always the SHA-256.
    """
    question: str
    """Text, trimmed; empty where texts are withheld."""
    answer: str
    """Text, trimmed; empty where texts are withheld."""
    values: dict[str, float | None]
    """Numbers by the label of their column; None for a cell without a number."""


def study_sheets(sheets: Sequence[Sheet], names: Sequence[str]) -> tuple[StudySheet, ...]:
    """Return what study.json states of sheets; `names` label each one's model."""
    return tuple(
        StudySheet(
            id=f"sheet-{place}",
            name=name_of(sheet.place),
            model=name,
            path=sheet.path,
            digest=sheet.digest,
            is_baseline=sheet.is_baseline,
            labels=check_labels(sheet).order,
            columns=sheet.columns,
            rows=len(sheet),
        )
        for place, (sheet, name) in enumerate(zip(sheets, names, strict=True))
    )


def name_of(place: Place) -> str:
    """Return the name of a configuration in tables."""
    return level_name(place.levels) or "baseline"


def rows_of(sheets: Sequence[Sheet], *, texts: bool = True) -> Iterator[SheetRow]:
    """Yield every row of the sheets, in order, with or without `texts`."""
    for place, sheet in enumerate(sheets):
        for number, key in enumerate(sheet.keys):
            cells = zip(sheet.columns, sheet.values[number].tolist(), sheet.present[number].tolist(), strict=True)
            yield SheetRow(
                sheet=place,
                row=sheet.row_numbers[number],
                id=key if texts and 0 < len(key) <= LONGEST_ID else hashlib.sha256(key.encode()).hexdigest(),
                question=sheet.questions[number] if texts else "",
                answer=sheet.answers[number] if texts else "",
                values={label: value if is_there else None for label, value, is_there in cells},
            )


def read_rows(content: bytes, stated: Sequence[StudySheet], *, texts: bool) -> list[list[SheetRow]] | Violation:
    """Return the rows of each sheet, or the first problem.

    Lines are canonical, in order, with the stated columns, and rows with the same text have the same id. Without
    `texts` no row has any.
    """
    lines = content.split(b"\n")
    if lines.pop() != b"":
        return Violation("The last line is not ended.", number=len(lines))
    found: list[list[SheetRow]] = [[] for _ in stated]
    at, ids = 0, dict[str, str]()
    for number, line in enumerate(lines):
        read = read_document(SheetRow, line)
        row = read.value
        if row is None:
            problem = read.violation or Violation("It is not valid.")
            return Violation(problem.detail, field=problem.field, number=number)
        if not at <= row.sheet < len(stated) or set(row.values) != set(stated[row.sheet].columns):
            return Violation("Its sheet or its columns are not those that study.json states.", number=number)
        at = row.sheet
        if found[at] and found[at][-1].row >= row.row:
            return Violation("It is not in the order of its sheet.", number=number)
        if not texts:
            if row.question or row.answer:
                return Violation("It has texts, although study.json states that they are withheld.", number=number)
        elif ids.setdefault(row.question, row.id) != row.id:
            return Violation("The same question has another id before it.", field="id", number=number)
        found[at].append(row)
    other = next((place for place, rows in enumerate(found) if len(rows) != stated[place].rows), None)
    if other is not None:
        return Violation(
            f"It has {len(found[other])} rows of the sheet {stated[other].path}.", field=f"sheets[{other}].rows"
        )
    return found


def asked(rows: Sequence[Sequence[SheetRow]]) -> list[Question]:
    """Return every question once, in order; references are not known."""
    texts = {row.id: row.question for of_sheet in rows for row in reversed(of_sheet)}
    order = dict.fromkeys(row.id for of_sheet in rows for row in of_sheet)
    return [Question(id=each, text=texts[each] or each, reference="") for each in order]


def runs_of_rows(study: StudyDocument, rows: Sequence[Sequence[SheetRow]]) -> list[RunRows] | Violation:
    """Return a run for each sheet, with the true columns and without numbers that their metric cannot have.

    The labels that study.json states must be those that the numbers show. Nothing is known of a run but its scores,
    so that its configuration only identifies its sheet.
    """
    found = []
    for place, (stated, own) in enumerate(zip(study.sheets or (), rows, strict=True)):
        sheet = _sheet(stated, own)
        if check_labels(sheet).order != stated.labels or stated.labels == "unclear":
            return Violation(
                "The numbers in the sheet show that its labels are in a different order.",
                field=f"sheets[{place}].labels",
            )
        try:
            found.append(_run(study, place, stated, sheet, own))
        except ValidationError:
            return Violation("The sheet's facts are not valid.", field=f"sheets[{place}]")
    return found


def _sheet(stated: StudySheet, rows: Sequence[SheetRow]) -> Sheet:
    cells = [[row.values.get(label) for label in stated.columns] for row in rows]
    shape = (len(rows), len(stated.columns))
    return Sheet(
        path=stated.path,
        digest=stated.digest,
        model=stated.model,
        threshold=None,
        columns=stated.columns,
        row_numbers=tuple(row.row for row in rows),
        questions=tuple(row.question for row in rows),
        answers=(),
        values=np.array([[value or 0.0 for value in row] for row in cells], dtype=np.float64).reshape(shape),
        present=np.array([[value is not None for value in row] for row in cells], dtype=bool).reshape(shape),
        remarks=SheetRemarks(),
    )


def _run(study: StudyDocument, place: int, stated: StudySheet, sheet: Sheet, rows: Sequence[SheetRow]) -> RunRows:
    known = sheet.present & possible(sheet, stated.labels)
    labels = {column: true_label(column, stated.labels) for column in VECTOR_ORDER}
    at = {label: column for column, label in enumerate(stated.columns)}

    def scores(number: int) -> ScoreRow:
        there = {column: at[label] for column, label in labels.items() if label in at and known[number, at[label]]}
        return ScoreRow.of({column: Score(value=float(sheet.values[number, own])) for column, own in there.items()})

    policy = NormalPolicy() if stated.is_baseline else ScorePolicy(min_similarity=place / _ARMS)
    return RunRows(
        run_id=stated.id,
        sweep_id=study.sweep.id,
        sweep_name=study.sweep.name,
        name=stated.name,
        config=RunConfig(
            dataset=study.dataset.name, collection="not known", model=Model(name=stated.model), retrieval=policy
        ),
        is_baseline=stated.is_baseline,
        dataset_digest=study.dataset.digest,
        questions=tuple(EvaluatedQuestion(row.id, scores=scores(number)) for number, row in enumerate(rows)),
        planned=len(rows),
        panel=_text(study.design, "panel"),
    )


def _text(design: Mapping[str, object], name: str) -> str | None:
    value = design.get(name)
    return value if isinstance(value, str) else None
