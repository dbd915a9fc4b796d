"""assessments, judgements, marks and labels"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "assessments",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("sweep_id", sa.String(length=40), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("tasks", sa.JSON(), nullable=False),
        sa.Column("budget", sa.JSON(), nullable=False),
        sa.Column("spent", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["sweep_id"], ["sweeps.id"], name=op.f("fk_assessments_sweep_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assessments")),
    )
    op.create_index(op.f("ix_assessments_sweep_id"), "assessments", ["sweep_id"])
    op.create_table(
        "judgements",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("task", sa.String(length=100), nullable=False),
        sa.Column("task_digest", sa.String(length=64), nullable=False),
        sa.Column("given_digest", sa.String(length=64), nullable=False),
        sa.Column("prompt_digest", sa.String(length=64), nullable=False),
        sa.Column("answer_keys", sa.JSON(), nullable=False),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("model_digest", sa.String(length=100), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_judgements")),
    )
    op.create_table(
        "marks",
        sa.Column("assessment_id", sa.String(length=48), nullable=False),
        sa.Column("item_key", sa.String(length=64), nullable=False),
        sa.Column("column", sa.String(length=100), nullable=False),
        sa.Column("repeat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("judgement_keys", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessments.id"], name=op.f("fk_marks_assessment_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("assessment_id", "item_key", "column", "repeat", name=op.f("pk_marks")),
    )
    op.create_table(
        "labels",
        sa.Column("item_key", sa.String(length=64), nullable=False),
        sa.Column("column", sa.String(length=100), nullable=False),
        sa.Column("rater", sa.String(length=100), nullable=False),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("draw", sa.String(length=64), nullable=True),
        sa.Column("inclusion", sa.Float(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("item_key", "column", "rater", "revision", name=op.f("pk_labels")),
    )
