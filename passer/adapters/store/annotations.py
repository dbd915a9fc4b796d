"""Annotations and registrations of sweeps; their tables belong to the metadata of `schema`."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Row,
    Select,
    String,
    Table,
    Text,
    cast,
    func,
    select,
)

from passer.adapters.store.schema import sweeps
from passer.adapters.store.table_parts import metadata
from passer.domain.base import canonical_json
from passer.domain.ledger.entry import Receipt
from passer.domain.study.registration import RegisteredPlan, Registration, RegistrationDocument
from passer.domain.sweeps.annotation import Annotation

annotated = Table(
    "annotations",
    metadata,
    Column("sweep_id", String(40), ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
    Column("title", String(200)),
    Column("tags", JSON, nullable=False),
    Column("note", Text, nullable=False),
    Column("archived", Boolean, nullable=False),
)


def with_annotations(query: Select[Any]) -> Select[Any]:
    """Return a query of sweeps joined with their annotations."""
    found = (annotated.c.title, annotated.c.tags, annotated.c.note, annotated.c.archived)
    return query.outerjoin(annotated, annotated.c.sweep_id == sweeps.c.id).add_columns(*found)


def only(query: Select[Any], *, tag: str | None, archived: bool | None) -> Select[Any]:
    """Return the query for sweeps with a tag, and for archived or other ones; None for both."""
    if tag is not None:
        # Tags are stored as a JSON list: the quotes around a tag keep "law" from matching "lawyers".
        query = query.where(cast(annotated.c.tags, Text).contains(json.dumps(tag), autoescape=True))
    if archived is not None:
        query = query.where(func.coalesce(annotated.c.archived, False) == archived)
    return query


def annotation_of(row: Row[Any]) -> Annotation:
    """Return the annotation in a row of `with_annotations`; an empty one where nothing was written."""
    if row.tags is None:
        return Annotation()
    return Annotation(name=row.title, tags=tuple(row.tags), note=row.note, archived=row.archived)


def write(connection: Connection, sweep_id: str, annotation: Annotation) -> None:
    """Replace the annotation of a sweep."""
    connection.execute(annotated.delete().where(annotated.c.sweep_id == sweep_id))
    values = annotation.model_dump(mode="json")
    connection.execute(annotated.insert().values(sweep_id=sweep_id, title=values.pop("name"), **values))


registrations = Table(
    "registrations",
    metadata,
    Column("sweep_id", String(40), ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
    # The document lists the digest of each question and configuration; lists of sweeps read the summary alone.
    Column("plan", JSON, nullable=False),
    Column("document", Text, nullable=False),
    Column("receipt", JSON, nullable=False),
)


def with_registrations(query: Select[Any]) -> Select[Any]:
    """Return a query of sweeps with the summary of their registration."""
    return query.outerjoin(registrations, registrations.c.sweep_id == sweeps.c.id).add_columns(registrations.c.plan)


def plan_of(row: Row[Any]) -> RegisteredPlan | None:
    """Return the summary in a row of `with_registrations`; None for a sweep that is not registered."""
    return None if row.plan is None else RegisteredPlan.model_validate(row.plan)


def add_registration(connection: Connection, registration: Registration) -> None:
    """Store a registration beside its sweep."""
    document = registration.document
    connection.execute(
        registrations.insert().values(
            sweep_id=document.sweep,
            plan=registration.plan.model_dump(mode="json"),
            document=canonical_json(document.model_dump(mode="json")).decode(),
            receipt=registration.receipt.model_dump(mode="json"),
        )
    )


def find_registration(connection: Connection, sweep_id: str) -> Registration | None:
    """Return the registration of a sweep; None where there is none."""
    row = connection.execute(select(registrations).where(registrations.c.sweep_id == sweep_id)).one_or_none()
    if row is None:
        return None
    return Registration(
        document=RegistrationDocument.model_validate_json(row.document), receipt=Receipt.model_validate(row.receipt)
    )
