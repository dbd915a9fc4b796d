"""edits of drafts without an answer do not keep the empty one: an answer that is drafted later takes its place"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"

DRAFTS = sa.table("drafts", sa.column("assessment_id"), sa.column("key"), sa.column("draft", sa.JSON()))
DECISIONS = sa.table(
    "draft_decisions",
    sa.column("assessment_id"),
    sa.column("key"),
    sa.column("revision"),
    sa.column("decision", sa.JSON()),
)


def upgrade() -> None:
    connection = op.get_bind()
    same = sa.and_(DECISIONS.c.assessment_id == DRAFTS.c.assessment_id, DECISIONS.c.key == DRAFTS.c.key)
    rows = connection.execute(sa.select(DECISIONS, DRAFTS.c.draft).join(DRAFTS, same)).all()
    for row in rows:
        # Who edits a draft that has an answer may have taken it away; that stays.
        if row.decision.get("answer") == "" and not row.draft.get("answer", "").strip():
            own = (DECISIONS.c[name] == getattr(row, name) for name in ("assessment_id", "key", "revision"))
            changed = {**row.decision, "answer": None}
            connection.execute(sa.update(DECISIONS).where(*own).values(decision=changed))
