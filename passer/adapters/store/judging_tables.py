"""Tables of judging; part of the schema."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, String, Table, Text

from passer.adapters.store.table_parts import Moment, metadata

assessments = Table(
    "assessments",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("sweep_id", String(40), ForeignKey("sweeps.id", ondelete="CASCADE"), index=True),
    Column("spec", JSON, nullable=False),
    Column("tasks", JSON, nullable=False),
    Column("budget", JSON, nullable=False),
    Column("spent", JSON, nullable=False),
    Column("created_at", Moment(), nullable=False),
)

judgements = Table(
    "judgements",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("task", String(100), nullable=False),
    Column("task_digest", String(64), nullable=False),
    Column("given_digest", String(64), nullable=False),
    Column("prompt_digest", String(64), nullable=False),
    Column("answer_keys", JSON, nullable=False),
    Column("value", JSON(none_as_null=True)),
    Column("reason", String(40)),
    Column("said", Text, nullable=False),
    Column("dropped", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("model_digest", String(100), nullable=False),
)

marks = Table(
    "marks",
    metadata,
    Column("assessment_id", String(48), ForeignKey("assessments.id", ondelete="CASCADE"), primary_key=True),
    Column("item_key", String(64), primary_key=True),
    Column("column", String(100), primary_key=True),
    Column("repeat", Integer, primary_key=True, autoincrement=False),
    Column("value", Float),
    Column("reason", String(40)),
    Column("note", Text, nullable=False),
    Column("judgement_keys", JSON, nullable=False),
)

label_draws = Table(
    "label_draws",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("assessment_id", String(48), ForeignKey("assessments.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("draw", JSON, nullable=False),
    Column("created_at", Moment(), nullable=False),
)

labels = Table(
    "labels",
    metadata,
    Column("item_key", String(64), primary_key=True),
    Column("column", String(100), primary_key=True),
    Column("rater", String(100), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("value", Float, nullable=False),
    Column("note", Text, nullable=False),
    Column("draw", String(64)),
    Column("inclusion", Float),
    Column("at", Moment(), nullable=False),
    Column("imported_by", String(100)),
)

reserved_places = Table(
    "reserved_places",
    metadata,
    Column("queue", String(48), primary_key=True),
    Column("place", String(80), primary_key=True),
    Column("rater", String(100), nullable=False),
    Column("until", Float, nullable=False),
)
