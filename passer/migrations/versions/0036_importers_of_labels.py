"""who imported a label from a file"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.add_column("labels", sa.Column("imported_by", sa.String(length=100)))
