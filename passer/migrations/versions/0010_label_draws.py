"""random draws of answers that people rate"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "label_draws",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("assessment_id", sa.String(length=48), nullable=False),
        sa.Column("draw", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessments.id"], name=op.f("fk_label_draws_assessment_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label_draws")),
    )
    op.create_index(op.f("ix_label_draws_assessment_id"), "label_draws", ["assessment_id"])
