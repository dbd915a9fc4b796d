"""aspects that raters of games grade, and draws without an earlier tournament"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    with op.batch_alter_table("game_draws") as table:
        table.add_column(sa.Column("aspects", sa.JSON(), server_default="[]", nullable=False))
        table.alter_column("of", existing_type=sa.String(length=48), nullable=True)


def downgrade() -> None:
    op.execute('DELETE FROM tournaments WHERE id IN (SELECT tournament_id FROM game_draws WHERE "of" IS NULL)')
    op.execute('DELETE FROM game_draws WHERE "of" IS NULL')
    with op.batch_alter_table("game_draws") as table:
        table.alter_column("of", existing_type=sa.String(length=48), nullable=False)
        table.drop_column("aspects")
