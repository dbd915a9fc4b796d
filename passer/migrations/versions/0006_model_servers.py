"""model servers that were connected on the page"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "connections",
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("key_variable", sa.String(length=80), nullable=True),
        sa.Column("sealed_key", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_connections")),
    )
