"""Tables of the database. Changes go through alembic (passer/migrations); a test holds the two equal."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from passer.adapters.store.table_parts import Moment, metadata

datasets = Table(
    "datasets",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=True),
    Column("name", String(100), nullable=False, index=True),
    Column("digest", String(64), nullable=False),
    Column("language", String(35), nullable=False),
    Column("question_count", Integer, nullable=False),
    Column("gold_count", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created_at", Moment(), nullable=False),
    UniqueConstraint("name", "digest"),
)

sweeps = Table(
    "sweeps",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(40), nullable=False, unique=True),
    Column("spec", JSON, nullable=False),
    Column("dataset", String(100), nullable=False),
    Column("dataset_digest", String(64), nullable=False),
    Column("question_count", Integer, nullable=False),
    Column("created_at", Moment(), nullable=False),
    Column("idempotency_key", String(200), unique=True),
    Column("budget", JSON(none_as_null=True)),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("sweep_id", String(40), ForeignKey("sweeps.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("name", String(300), nullable=False),
    Column("config", JSON, nullable=False),
    Column("is_baseline", Boolean, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("reason", Text),
    Column("held", Boolean, nullable=False),
    Column("model_info", JSON),
    Column("scored_by", JSON, nullable=False),
    Column("created_at", Moment(), nullable=False),
    Column("started_at", Moment()),
    Column("finished_at", Moment()),
    Column("memory", JSON(none_as_null=True)),
    UniqueConstraint("sweep_id", "position"),
)

passages = Table(
    "passages",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("document", String(500), nullable=False),
    Column("number", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page", Integer),
)

# Shared by all sweeps: a ranking depends on its source, its question and its depth, and on nothing of a run.
rankings = Table(
    "rankings",
    metadata,
    Column("source", String(200), primary_key=True),
    Column("question", String(200), primary_key=True),
    Column("depth", Integer, primary_key=True, autoincrement=False),
    Column("passages", JSON, nullable=False),
    Column("embedding_s", Float, nullable=False),
    Column("retrieval_s", Float, nullable=False),
    Column("rewriting", JSON(none_as_null=True)),
)

# Which ranking a sweep used for a question. Another sweep may reuse the ranking, so its use is a row of its own.
sweep_rankings = Table(
    "sweep_rankings",
    metadata,
    Column("sweep_id", String(40), ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
    Column("collection", String(63), primary_key=True),
    Column("retriever", String(64), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    Column("source", String(200), nullable=False),
    Column("question", String(200), nullable=False),
    Column("depth", Integer, nullable=False),
    Column("shown", Integer),
    Column("gold_ids", JSON),
    Column("reused", Boolean, nullable=False),
)

prompts = Table(
    "prompts",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("template", String(100), nullable=False),
    Column("template_digest", String(64), nullable=False),
    Column("messages", JSON, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("text", Text, nullable=False),
    Column("raw", Text, nullable=False),
    Column("reason", String(40)),
    Column("abstained", Boolean, nullable=False),
    Column("truncated", String(10)),
    Column("done_reason", String(40)),
    Column("model_digest", String(100), nullable=False),
    Column("timings", JSON, nullable=False),
    Column("generation_s", Float, nullable=False),
    Column("passages", JSON(none_as_null=True)),
)

# By the digest of scorer, reference and answer: equal answers are scored once, in whichever run they occur.
pairs = Table(
    "pairs",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("scores", JSON, nullable=False),
    Column("scoring_s", Float, nullable=False),
)

evaluations = Table(
    "evaluations",
    metadata,
    Column("run_id", String(48), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("question_id", String(200), nullable=False),
    Column("state", String(10), nullable=False),
    Column("reason", Text),
    Column("kept_first", Integer, nullable=False),
    Column("kept_last", Integer, nullable=False),
    Column("prompt_digest", String(64)),
    Column("answer_key", String(64)),
    Column("reused", Boolean, nullable=False),
    Column("pair_key", String(64)),
    Index("ix_evaluations_run_id_state", "run_id", "state"),
)

# A copy of what a long finished run scored, packed by column: analyses read one row instead of one per question.
run_tables = Table(
    "run_tables",
    metadata,
    Column("run_id", String(48), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("finished_at", Moment(), nullable=False),
    Column("outcomes", LargeBinary, nullable=False),
    Column("scored", LargeBinary, nullable=False),
    Column("scores", LargeBinary, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(48), ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("manifest", Text, nullable=False),
    Column("entry_count", Integer, nullable=False),
    Column("created_at", Moment(), nullable=False),
    Column("reason", Text),
    Column("retry_at", Moment()),
    Index("ix_records_run_id", "run_id"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("record", Integer, ForeignKey("records.number", ondelete="CASCADE"), nullable=False),
    Column("run_id", String(48), nullable=False),
    Column("ledger", String(16), nullable=False),
    Column("identity", String(64), nullable=False),
    Column("entry", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("sequence", Integer),
    Column("transaction_id", String(64), ForeignKey("transactions.id")),
    Column("action_index", Integer),
    # An entry waits once per ledger, also if a process dies after queuing it and its run is recorded again.
    UniqueConstraint("run_id", "ledger", "identity"),
    Index("ix_outbox_state_record", "state", "record"),
    Index("ix_outbox_transaction_id", "transaction_id"),
    Index("ix_outbox_identity", "identity"),
)

transactions = Table(
    "transactions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("chain_id", String(64), nullable=False),
    Column("contract", String(13), nullable=False),
    Column("creator", String(13), nullable=False),
    Column("packed", Text, nullable=False),
    Column("signatures", JSON, nullable=False),
    Column("expires_at", Moment(), nullable=False),
    Column("identities", JSON, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("block_number", Integer),
    Column("block_id", String(64)),
    Column("block_time", Moment()),
)

ledger = Table(
    "ledger",
    metadata,
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    # Unique: no two rows can follow the same row, so two processes cannot fork the chain.
    Column("previous", String(64), nullable=False, unique=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("recorded_at", String(40), nullable=False, index=True),
    Column("entry", Text, nullable=False),
    Column("identity", String(64), nullable=False, unique=True),
    Column("testid", String(13), nullable=False, index=True),
)

work = Table(
    "work",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(48), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("subject", String(300), index=True),
    Column("spec", JSON, nullable=False),
    Column("state", String(16), index=True),
    Column("progress", JSON),
    Column("result", JSON(none_as_null=True)),
    Column("failure", JSON(none_as_null=True)),
    Column("lease_owner", String(200)),
    Column("lease_until", Float),
    Column("created_at", Moment(), nullable=False),
    Column("started_at", Moment()),
    Column("ended_at", Moment()),
)

connections = Table(
    "connections",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("url", String(500), nullable=False),
    Column("key_variable", String(80)),
    Column("sealed_key", Text),
    Column("places", JSON(none_as_null=True)),
)

project_settings = Table(
    "project_settings",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("value", Text, nullable=False),
)
