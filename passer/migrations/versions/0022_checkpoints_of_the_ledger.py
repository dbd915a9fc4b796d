"""checkpoints of the ledger: tiles of its Merkle tree, and the heads that were signed"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "ledger_tiles",
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("root", sa.LargeBinary(length=32), nullable=False),
        sa.Column("hashes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("level", "place", name=op.f("pk_ledger_tiles")),
    )
    op.create_table(
        "ledger_checkpoints",
        sa.Column("size", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("root", sa.String(length=64), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("size", name=op.f("pk_ledger_checkpoints")),
    )
