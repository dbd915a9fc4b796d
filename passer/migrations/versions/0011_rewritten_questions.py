"""the texts that a rewritten question was searched by"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("rankings", sa.Column("rewriting", sa.JSON(none_as_null=True), nullable=True))
