"""Tables of drafted questions; part of the schema."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Integer, String, Table

from passer.adapters.store.table_parts import Moment, metadata

drafts = Table(
    "drafts",
    metadata,
    Column("assessment_id", String(48), ForeignKey("assessments.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(40), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("draft", JSON, nullable=False),
)

draft_decisions = Table(
    "draft_decisions",
    metadata,
    Column("assessment_id", String(48), ForeignKey("assessments.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(40), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("decision", JSON, nullable=False),
    Column("at", Moment(), nullable=False),
)
