"""Tables of imported result sheets."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, String, Table

from passer.adapters.store.table_parts import Moment, metadata

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
