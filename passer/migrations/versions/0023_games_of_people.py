"""games that people rate by links"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "game_draws",
        sa.Column("tournament_id", sa.String(length=48), nullable=False),
        sa.Column("of", sa.String(length=48), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_game_draws_tournament_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_game_draws")),
    )
    op.create_index(op.f("ix_game_draws_of"), "game_draws", ["of"])
    op.create_table(
        "rating_links",
        sa.Column("tournament_id", sa.String(length=48), nullable=False),
        sa.Column("rater", sa.String(length=100), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_rating_links_tournament_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "rater", name=op.f("pk_rating_links")),
    )
    op.create_index(op.f("ix_rating_links_digest"), "rating_links", ["digest"], unique=True)
