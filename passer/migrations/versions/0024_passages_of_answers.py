"""the passages that systems of others say they used for an answer"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.add_column("answers", sa.Column("passages", sa.JSON(none_as_null=True), nullable=True))
