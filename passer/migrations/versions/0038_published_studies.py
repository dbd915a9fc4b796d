"""published studies with their titles, which the ledger does not have; earlier studies of the local ledger have none"""

import json
from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

LEDGER = sa.table("ledger", sa.column("recorded_at"), sa.column("entry"))


def upgrade() -> None:
    studies = op.create_table(
        "studies",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=48), nullable=False),
        sa.Column("title", sa.String(length=300)),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_studies")),
    )
    op.create_index(op.f("ix_studies_subject"), "studies", ["subject"])
    connection = op.get_bind()
    query = sa.select(LEDGER).where(LEDGER.c.entry.like('%"description":"study of %'))
    for row in connection.execute(query).all():
        entry = json.loads(row.entry)
        values = {
            "digest": entry["run_digest"],
            "subject": entry["description"].rpartition(" ")[2],
            "recorded_at": datetime.fromisoformat(row.recorded_at.replace("Z", "+00:00")),
        }
        connection.execute(sa.insert(studies).values(title=None, **values))
