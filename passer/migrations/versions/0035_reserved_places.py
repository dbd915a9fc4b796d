"""places of queues that a rater has open, so that two raters do not get the same one at once"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.create_table(
        "reserved_places",
        sa.Column("queue", sa.String(length=48), nullable=False),
        sa.Column("place", sa.String(length=80), nullable=False),
        sa.Column("rater", sa.String(length=100), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("queue", "place", name=op.f("pk_reserved_places")),
    )
