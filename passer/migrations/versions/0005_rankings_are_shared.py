"""rankings are stored once and shared; each sweep refers to those it uses"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

# Of what an earlier program found, the version of the collection is not known: only its own sweep may use it. Such an
# address holds slashes, which no digest has.
ADDRESS = "sweep_id || '/' || collection || '/dense', question_id, 0"


def upgrade() -> None:
    _set_aside("rankings")
    op.create_table(
        "rankings",
        sa.Column("source", sa.String(length=200), nullable=False),
        sa.Column("question", sa.String(length=200), nullable=False),
        sa.Column("depth", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("passages", sa.JSON(), nullable=False),
        sa.Column("embedding_s", sa.Float(), nullable=False),
        sa.Column("retrieval_s", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("source", "question", "depth", name=op.f("pk_rankings")),
    )
    op.create_table(
        "sweep_rankings",
        sa.Column("sweep_id", sa.String(length=40), nullable=False),
        sa.Column("collection", sa.String(length=63), nullable=False),
        sa.Column("retriever", sa.String(length=64), nullable=False),
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("source", sa.String(length=200), nullable=False),
        sa.Column("question", sa.String(length=200), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=True),
        sa.Column("gold_ids", sa.JSON(), nullable=True),
        sa.Column("reused", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sweep_id"], ["sweeps.id"], name=op.f("fk_sweep_rankings_sweep_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sweep_id", "collection", "retriever", "question_id", name=op.f("pk_sweep_rankings")),
    )
    op.execute(
        "INSERT INTO rankings (source, question, depth, passages, embedding_s, retrieval_s) "
        f"SELECT {ADDRESS}, passages, embedding_s, retrieval_s FROM rankings_before"
    )
    op.execute(
        "INSERT INTO sweep_rankings "
        "(sweep_id, collection, retriever, question_id, source, question, depth, gold_ids, reused) "
        f"SELECT sweep_id, collection, 'dense', question_id, {ADDRESS}, gold_ids, false FROM rankings_before"
    )
    op.drop_table("rankings_before")


def _set_aside(table: str) -> None:
    """Rename a table to make room for another of its name; PostgreSQL wants names of keys to be unique as well."""
    op.rename_table(table, f"{table}_before")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE {table}_before RENAME CONSTRAINT pk_{table} TO pk_{table}_before")
