"""which judge made relevance grades, so that a reranker that is the same model is named"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0026"


def upgrade() -> None:
    with op.batch_alter_table("retrieval_inputs") as table:
        table.add_column(sa.Column("graded_by", sa.JSON(), nullable=True))
