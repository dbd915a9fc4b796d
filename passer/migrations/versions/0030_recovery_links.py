"""links by which somebody without the password chooses a new one"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "recovery_links",
        sa.Column("account", sa.String(length=60), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name=op.f("fk_recovery_links_account")),
        sa.PrimaryKeyConstraint("account", name=op.f("pk_recovery_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_recovery_links_digest")),
    )
