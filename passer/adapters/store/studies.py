"""Published studies; the table belongs to the metadata of `schema`."""

from __future__ import annotations

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import Column, LargeBinary, String, Table, select

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
    # A zip; null where an earlier version of PaSSER published the study.
    Column("documents", LargeBinary),
)


class DatabaseStudies:
    """ports.StudyStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, study: PublishedStudy, documents: Mapping[str, bytes]) -> None:
        values = {"subject": study.sweep_id, **study.model_dump(include={"digest", "title", "recorded_at"})}
        insert = self._database.insert(studies).values(**values, documents=_packed(documents))
        changed = {name: insert.excluded[name] for name in ("title", "documents")}
        self._database.change(insert.on_conflict_do_update(index_elements=["digest"], set_=changed))

    def published(self, subject: str) -> list[PublishedStudy]:
        kept = studies.c.documents.is_not(None).label("is_kept")
        query = select(*(each for each in studies.c if each.name != "documents"), kept)
        query = query.where(studies.c.subject == subject)
        rows = self._database.rows(query.order_by(studies.c.recorded_at.desc(), studies.c.digest))
        return [PublishedStudy(sweep_id=row.pop("subject"), **row) for row in map(dict, rows)]

    def documents(self, digest: str) -> Mapping[str, bytes] | None:
        found = self._database.row(select(studies.c.documents).where(studies.c.digest == digest))
        return None if found is None or found["documents"] is None else _unpacked(found["documents"])


def _packed(documents: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as opened:
        for name, content in documents.items():
            opened.writestr(name, content)
    return stream.getvalue()


def _unpacked(packed: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(packed)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}
