"""budgets of sweeps: limits of requests, tokens, time and money, which a person may change"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("sweeps", sa.Column("budget", sa.JSON(none_as_null=True), nullable=True))
