"""the activity log"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "activity",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=20), nullable=False),
        sa.Column("account", sa.String(length=60), nullable=True),
        sa.Column("via", sa.String(length=10), nullable=False),
        sa.Column("operation", sa.String(length=60), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=True),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("previous", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_activity")),
    )
    op.create_index(op.f("ix_activity_account"), "activity", ["account"])
