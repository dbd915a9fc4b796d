"""why a session has ended, which the page tells who was signed in by it"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("ended_by", sa.String(length=12)))
