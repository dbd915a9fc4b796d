"""tournaments with their games"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("entrants", sa.JSON(), nullable=False),
        sa.Column("sweep_id", sa.String(length=40), nullable=True),
        sa.Column("rule", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("unanswered", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["sweep_id"], ["sweeps.id"], name=op.f("fk_tournaments_sweep_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_sweep_id"), "tournaments", ["sweep_id"])
    op.create_table(
        "games",
        sa.Column("tournament_id", sa.String(length=48), nullable=False),
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("a", sa.String(length=100), nullable=False),
        sa.Column("b", sa.String(length=100), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("outcome", sa.String(length=3), nullable=True),
        sa.Column("how", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("verdicts", sa.JSON(), nullable=False),
        sa.Column("styles", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_games_tournament_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "question_id", "a", "b", name=op.f("pk_games")),
    )
