"""aspects that raters of games grade, and draws without an earlier tournament"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    with op.batch_alter_table("game_draws") as table:
        table.add_column(sa.Column("aspects", sa.JSON(), server_default="[]", nullable=False))
        table.alter_column("of", existing_type=sa.String(length=48), nullable=True)
