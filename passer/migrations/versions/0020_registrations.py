"""registrations of sweeps: plans that the ledger had before the first question was asked"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "registrations",
        sa.Column("sweep_id", sa.String(length=40), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("receipt", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sweep_id"], ["sweeps.id"], name=op.f("fk_registrations_sweep_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sweep_id", name=op.f("pk_registrations")),
    )
