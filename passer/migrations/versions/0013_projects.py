"""roles of accounts in projects, and tokens for one project"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "memberships",
        sa.Column("account", sa.String(length=60), nullable=False),
        sa.Column("project", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name=op.f("fk_memberships_account")),
        sa.PrimaryKeyConstraint("account", "project", name=op.f("pk_memberships")),
    )
    # In the project that contains the data from before projects, everybody keeps the rights they had.
    op.execute("INSERT INTO memberships (account, project, role) SELECT name, 'default', role FROM accounts")
    op.drop_column("accounts", "role")
    op.add_column("tokens", sa.Column("project", sa.String(length=40), nullable=True))
