"""Imported result sheets. An import is stored with all its sheets or not at all."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, Row, String, Table, delete, func, select, update

from passer.adapters.store.database import Database
from passer.adapters.store.studies import studies
from passer.adapters.store.table_parts import Moment, metadata
from passer.domain.sheets.audit import Audit
from passer.domain.sheets.sheet import Sheet, SheetImport, SheetRemarks
from passer.domain.wording.sentence import STORED, sentence
from passer.errors import NotFoundError
from passer.ports import ImportSummary

imports = Table(
    "imports",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(40), nullable=False, unique=True),
    Column("name", String(300), nullable=False),
    Column("created_at", Moment(), nullable=False),
    Column("dataset", String(100)),
    Column("dataset_digest", String(64)),
    Column("audit", JSON, nullable=False),
)

sheets = Table(
    "sheets",
    metadata,
    Column("import_id", String(40), ForeignKey("imports.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("path", String(1000), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("model", String(300), nullable=False),
    Column("threshold", Float),
    Column("row_count", Integer, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("row_numbers", JSON, nullable=False),
    Column("questions", JSON, nullable=False),
    Column("answers", JSON, nullable=False),
    Column("scores", JSON, nullable=False),
    Column("remarks", JSON, nullable=False),
)


class DatabaseImports:
    """ports.ImportStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save_import(self, imported: SheetImport) -> None:
        """Save an import with all its sheets in one transaction; an existing id gets the new name and audit."""
        row = {
            "id": imported.id,
            "name": imported.name,
            "created_at": imported.created_at,
            "dataset": imported.dataset,
            "dataset_digest": imported.dataset_digest,
            "audit": imported.audit.model_dump(mode="json", context=STORED),
        }
        checked = {name: row[name] for name in ("name", "dataset", "dataset_digest", "audit")}
        with self._database.begin() as connection:
            # Equal sheets have one id. What can differ is their name, the dataset that
            # they were checked against, and so the audit.
            if connection.execute(update(imports).where(imports.c.id == imported.id).values(checked)).rowcount:
                return
            connection.execute(imports.insert().values(row))
            rows = [_sheet_row(imported.id, place, sheet) for place, sheet in enumerate(imported.sheets)]
            connection.execute(sheets.insert(), rows)

    def load_import(self, import_id: str, *, with_answers: bool = True, path: str | None = None) -> SheetImport:
        # The texts of answers are most of a sheet; what reads scores alone leaves them in the database.
        columns = [column for column in sheets.c if with_answers or column.name != "answers"]
        query = select(*columns).where(sheets.c.import_id == import_id).order_by(sheets.c.position)
        if path is not None:
            query = query.where(sheets.c.path == path)
        with self._database.connect() as connection:
            found = connection.execute(select(imports).where(imports.c.id == import_id)).one_or_none()
            if found is None:
                raise _unknown(import_id)
            kept = tuple(_sheet(row) for row in connection.execute(query))
        if not kept:
            raise NotFoundError(sentence("problem.no-sheet", name=found.name, path=path or ""))
        return SheetImport(
            id=found.id,
            name=found.name,
            created_at=found.created_at,
            sheets=kept,
            audit=Audit.model_validate(found.audit),
            dataset=found.dataset,
            dataset_digest=found.dataset_digest,
        )

    def list_imports(self) -> list[ImportSummary]:
        counted = select(
            sheets.c.import_id, sheets.c.model, func.count(), func.sum(sheets.c.row_count), func.min(sheets.c.position)
        ).group_by(sheets.c.import_id, sheets.c.model)
        counts: dict[str, list[tuple[int, str, int, int]]] = {}
        with self._database.connect() as connection:
            for import_id, model, number, rows, first in connection.execute(counted):
                counts.setdefault(import_id, []).append((first, model, number, rows))
            found = connection.execute(select(imports).order_by(imports.c.number.desc())).all()
        return [_summary(row, sorted(counts[row.id])) for row in found]

    def delete_import(self, import_id: str) -> None:
        with self._database.begin() as connection:
            if not connection.execute(delete(imports).where(imports.c.id == import_id)).rowcount:
                raise _unknown(import_id)
            # Studies of these sheets have their rows, and whoever deletes an import wants its texts gone.
            connection.execute(update(studies).where(studies.c.subject == import_id).values(documents=None))


def _unknown(import_id: str) -> NotFoundError:
    return NotFoundError(sentence("problem.no-import", id=import_id))


def _summary(row: Row[Any], counts: list[tuple[int, str, int, int]]) -> ImportSummary:
    return ImportSummary(
        id=row.id,
        name=row.name,
        created_at=row.created_at,
        dataset=row.dataset,
        models=tuple(model for _, model, _, _ in counts),
        sheets=sum(number for _, _, number, _ in counts),
        rows=sum(rows for _, _, _, rows in counts),
        defects=sum(finding["severity"] == "defect" for finding in row.audit["findings"]),
    )


def _sheet_row(import_id: str, position: int, sheet: Sheet) -> dict[str, Any]:
    scores = [
        # A missing score is null: JSON has no NaN.
        [value if there else None for value, there in zip(values, present, strict=True)]
        for values, present in zip(sheet.values.tolist(), sheet.present.tolist(), strict=True)
    ]
    return {
        "import_id": import_id,
        "position": position,
        "path": sheet.path,
        "digest": sheet.digest,
        "model": sheet.model,
        "threshold": sheet.threshold,
        "row_count": len(sheet),
        "columns": list(sheet.columns),
        "row_numbers": list(sheet.row_numbers),
        "questions": list(sheet.questions),
        "answers": list(sheet.answers),
        "scores": scores,
        "remarks": sheet.remarks.model_dump(mode="json"),
    }


def _sheet(row: Row[Any]) -> Sheet:
    scores = np.array(row.scores, dtype=np.float64).reshape(row.row_count, len(row.columns))
    present = np.isfinite(scores)
    return Sheet(
        path=row.path,
        digest=row.digest,
        model=row.model,
        threshold=row.threshold,
        columns=tuple(row.columns),
        row_numbers=tuple(row.row_numbers),
        # All sheets of an import ask the same questions: each text is in memory once, not once per sheet.
        questions=tuple(map(sys.intern, row.questions)),
        answers=tuple(getattr(row, "answers", ())),
        values=np.where(present, scores, 0.0),
        present=present,
        remarks=SheetRemarks.model_validate(row.remarks),
    )
