"""questions drafted from documents; an assessment need not belong to a sweep"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

CHILDREN = ("marks", "label_draws")
"""Tables whose rows are deleted with their assessment."""


def upgrade() -> None:
    _set_nullable(True)
    op.create_table(
        "drafts",
        sa.Column("assessment_id", sa.String(length=48), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("draft", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessments.id"], name=op.f("fk_drafts_assessment_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("assessment_id", "key", name=op.f("pk_drafts")),
    )
    op.create_table(
        "draft_decisions",
        sa.Column("assessment_id", sa.String(length=48), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("decision", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessments.id"], name=op.f("fk_draft_decisions_assessment_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("assessment_id", "key", "revision", name=op.f("pk_draft_decisions")),
    )


def _set_nullable(nullable: bool) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("assessments", "sweep_id", nullable=nullable)
        return
    # SQLite changes a column by a copy of its table, and dropping the old one deletes the rows that refer to it.
    for name in CHILDREN:
        op.execute(f"CREATE TABLE kept_{name} AS SELECT * FROM {name}")
    with op.batch_alter_table("assessments", schema=None) as batch_op:
        batch_op.alter_column("sweep_id", existing_type=sa.String(length=40), nullable=nullable)
    for name in CHILDREN:
        op.execute(f"INSERT INTO {name} SELECT * FROM kept_{name}")
        op.drop_table(f"kept_{name}")
