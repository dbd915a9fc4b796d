"""where a connected RAG system takes the question and puts its answer"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    with op.batch_alter_table("connections") as table:
        table.add_column(sa.Column("places", sa.JSON(), nullable=True))
