"""Imported rankings, grades and maps of terms; the table belongs to the metadata of `schema`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import JSON, Column, Connection, Integer, String, Table, delete, select

from passer.adapters.store.database import Database, by_key
from passer.adapters.store.schema import passages
from passer.adapters.store.table_parts import metadata
from passer.domain.retrieval.inputs import InputKind, InputSummary, StoredInput
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import NotFoundError
from passer.ports.datasets import S

retrieval_inputs = Table(
    "retrieval_inputs",
    metadata,
    Column("kind", String(10), primary_key=True),
    Column("name", String(60), primary_key=True),
    Column("digest", String(64), nullable=False),
    Column("entries", Integer, nullable=False),
    Column("content", JSON, nullable=False),
    Column("graded_by", JSON(none_as_null=True), nullable=True),
)

# Without the content: a list of inputs would read every ranking and grade in them.
_SUMMARY = tuple(name for name in InputSummary.model_fields if name in retrieval_inputs.c)


class DatabaseRetrievalInputs:
    """ports.RetrievalInputStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list_inputs(self, *kinds: InputKind) -> list[InputSummary]:
        columns = retrieval_inputs.c
        query = select(*(columns[name] for name in _SUMMARY)).where(columns.kind.in_(sorted(kinds)))
        return [InputSummary(**row) for row in self._database.rows(query.order_by(columns.kind, columns.name))]

    def find(self, form: type[S], name: str) -> S:
        columns = retrieval_inputs.c
        found = select(columns.content, columns.graded_by)
        query = found.where(columns.kind == form.kind, columns.name == name)
        with self._database.connect() as opened:
            row = opened.execute(query).one_or_none()
        if row is None:
            raise NotFoundError(_unknown(form.kind, name))
        return form(name=name, content=row.content, graded_by=row.graded_by)

    def save(self, stored: StoredInput) -> InputSummary:
        with self._database.begin() as opened:
            save_input(opened, stored)
        return stored.summary

    def delete(self, kind: InputKind, name: str) -> None:
        columns = retrieval_inputs.c
        with self._database.begin() as opened:
            same = (columns.kind == kind) & (columns.name == name)
            gone = opened.execute(delete(retrieval_inputs).where(same)).rowcount
        if not gone:
            raise NotFoundError(_unknown(kind, name))

    def keep_passages(self, kept: Sequence[Passage]) -> None:
        rows = [each.model_dump(include={*Passage.model_fields}) for each in kept]
        with self._database.begin() as opened:
            if rows:
                opened.execute(self._database.insert(passages).on_conflict_do_nothing(index_elements=["id"]), rows)

    def kept_passages(self, ids: Sequence[str]) -> dict[str, Passage]:
        with self._database.connect() as opened:
            return {key: Passage(**row) for key, row in by_key(opened, passages, "id", ids).items()}


def save_input(opened: Connection, stored: StoredInput) -> None:
    """Save an input in place of an earlier one of its name."""
    columns = retrieval_inputs.c
    same = (columns.kind == stored.kind) & (columns.name == stored.name)
    summary = stored.summary.model_dump(include={*_SUMMARY})
    opened.execute(delete(retrieval_inputs).where(same))
    opened.execute(retrieval_inputs.insert().values({**summary, **stored.model_dump(mode="json")}))


def _unknown(kind: InputKind, name: str) -> Sentence:
    return sentence(f"input.unknown-{kind}", name=name)
