"""the table of work: every lease, and the progress of sweeps"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

SWEEPS = sa.table(
    "sweeps",
    sa.column("number", sa.Integer()),
    sa.column("id", sa.String()),
    sa.column("created_at", sa.DateTime(timezone=True)),
    sa.column("progress", sa.JSON()),
    sa.column("lease_owner", sa.String()),
    sa.column("lease_until", sa.Float()),
)


def upgrade() -> None:
    op.create_table(
        "work",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=True),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=True),
        sa.Column("progress", sa.JSON(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("failure", sa.JSON(), nullable=True),
        sa.Column("lease_owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_work")),
        sa.UniqueConstraint("id", name=op.f("uq_work_id")),
    )
    with op.batch_alter_table("work", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_work_subject"), ["subject"], unique=False)
        batch_op.create_index(batch_op.f("ix_work_state"), ["state"], unique=False)
    _move_sweeps()
    # Never a copy of the table: dropping the old one would delete all runs, by ON DELETE CASCADE.
    with op.batch_alter_table("sweeps", schema=None, recreate="never") as batch_op:
        for name in ("lease_owner", "lease_until", "progress"):
            batch_op.drop_column(name)
    op.drop_table("leases")


def _move_sweeps() -> None:
    """A process of the earlier version that still runs a sweep keeps its lease until it expires."""
    connection = op.get_bind()
    work = sa.Table("work", sa.MetaData(), autoload_with=connection)
    posting = {"id": "posting", "kind": "post", "spec": {}, "state": "queued", "created_at": datetime.now(UTC)}
    connection.execute(work.insert().values(posting))
    for row in connection.execute(sa.select(SWEEPS).order_by(SWEEPS.c.number)).all():
        kept = {name: getattr(row, name) for name in ("id", "created_at", "lease_owner", "lease_until")}
        progress = sa.null() if row.progress is None else row.progress
        connection.execute(work.insert().values(**kept, kind="sweep", subject=row.id, spec={}, progress=progress))
