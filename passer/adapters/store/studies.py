"""Published studies; the table belongs to the metadata of `schema`."""

from __future__ import annotations

from sqlalchemy import Column, String, Table, select

from passer.adapters.store.database import Database
from passer.adapters.store.table_parts import Moment, metadata
from passer.domain.study.entry import PublishedStudy

studies = Table(
    "studies",
    metadata,
    Column("digest", String(64), primary_key=True),
    # The id of a sweep or of an import, which may be deleted later: the ledger keeps the entry, and so does this table.
    Column("subject", String(48), nullable=False, index=True),
    Column("title", String(300)),
    Column("recorded_at", Moment(), nullable=False),
)


class DatabaseStudies:
    """ports.StudyStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, study: PublishedStudy) -> None:
        values = {"subject": study.sweep_id, **study.model_dump(include={"digest", "title", "recorded_at"})}
        self._database.change(self._database.insert(studies).values(**values).on_conflict_do_nothing())

    def published(self, subject: str) -> list[PublishedStudy]:
        query = select(studies).where(studies.c.subject == subject)
        rows = self._database.rows(query.order_by(studies.c.recorded_at.desc(), studies.c.digest))
        return [PublishedStudy(sweep_id=row.pop("subject"), **row) for row in map(dict, rows)]
