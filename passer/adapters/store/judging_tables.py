"""Tables of judging, drafted questions and tournaments; part of the schema."""

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


tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(48), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("source", String(10), nullable=False),
    Column("entrants", JSON, nullable=False),
    Column("sweep_id", String(40), ForeignKey("sweeps.id", ondelete="CASCADE"), index=True),
    Column("rule", JSON(none_as_null=True)),
    Column("unanswered", Integer, nullable=False),
    Column("created_at", Moment(), nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("tournament_id", String(48), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("question_id", String(200), primary_key=True),
    Column("a", String(100), primary_key=True),
    Column("b", String(100), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("outcome", String(3)),
    Column("how", String(20), nullable=False),
    Column("reason", String(40)),
    Column("verdicts", JSON, nullable=False),
    Column("styles", JSON(none_as_null=True)),
)

game_draws = Table(
    "game_draws",
    metadata,
    Column("tournament_id", String(48), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("of", String(48), index=True),
    Column("seed", Integer, nullable=False),
    Column("games", JSON, nullable=False),
    Column("aspects", JSON, nullable=False, server_default="[]"),
)

rating_links = Table(
    "rating_links",
    metadata,
    Column("tournament_id", String(48), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("rater", String(100), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("digest", String(64), nullable=False, index=True, unique=True),
    Column("expires_at", Moment(), nullable=False),
)
