"""documents of published studies: study.json states what may change later, such as other sweeps of the dataset"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.add_column("studies", sa.Column("documents", sa.LargeBinary()))
