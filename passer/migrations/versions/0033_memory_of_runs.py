"""memory that runs took"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("runs", sa.Column("memory", sa.JSON(none_as_null=True)))
