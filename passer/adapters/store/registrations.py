"""Registrations of sweeps; the table belongs to the metadata of `schema`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, Connection, ForeignKey, Row, Select, String, Table, Text, select

from passer.adapters.store.schema import sweeps
from passer.adapters.store.table_parts import metadata
from passer.domain.base import canonical_json
from passer.domain.ledger.entry import Receipt
from passer.domain.study.registration import RegisteredPlan, Registration, RegistrationDocument

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
