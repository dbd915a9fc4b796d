"""Tables of tournaments; part of the schema."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, Integer, String, Table

from passer.adapters.store.table_parts import Moment, metadata

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
