"""records of finished runs, the outbox, what was sent to a chain, and the local ledger"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

REFUSAL = "the ledger is append-only: a row is never changed or removed"


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(length=48), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("entry_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("retry_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_records_run_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_records")),
    )
    with op.batch_alter_table("records", schema=None) as batch_op:
        batch_op.create_index("ix_records_run_id", ["run_id"], unique=False)

    op.create_table(
        "transactions",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("chain_id", sa.String(length=64), nullable=False),
        sa.Column("contract", sa.String(length=13), nullable=False),
        sa.Column("creator", sa.String(length=13), nullable=False),
        sa.Column("packed", sa.Text(), nullable=False),
        sa.Column("signatures", sa.JSON(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("identities", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("block_number", sa.Integer(), nullable=True),
        sa.Column("block_id", sa.String(length=64), nullable=True),
        sa.Column("block_time", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_transactions")),
        sa.UniqueConstraint("id", name=op.f("uq_transactions_id")),
    )
    with op.batch_alter_table("transactions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_transactions_state"), ["state"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=48), nullable=False),
        sa.Column("ledger", sa.String(length=16), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("transaction_id", sa.String(length=64), nullable=True),
        sa.Column("action_index", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["record"], ["records.number"], name=op.f("fk_outbox_record"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["transaction_id"], ["transactions.id"], name=op.f("fk_outbox_transaction_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_outbox")),
        sa.UniqueConstraint("run_id", "ledger", "identity", name=op.f("uq_outbox_run_id_ledger_identity")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_state_record", ["state", "record"], unique=False)
        batch_op.create_index("ix_outbox_transaction_id", ["transaction_id"], unique=False)
        batch_op.create_index("ix_outbox_identity", ["identity"], unique=False)

    op.create_table(
        "ledger",
        sa.Column("sequence", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("previous", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("recorded_at", sa.String(length=40), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("testid", sa.String(length=13), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_ledger")),
        sa.UniqueConstraint("digest", name=op.f("uq_ledger_digest")),
        sa.UniqueConstraint("identity", name=op.f("uq_ledger_identity")),
        sa.UniqueConstraint("previous", name=op.f("uq_ledger_previous")),
    )
    with op.batch_alter_table("ledger", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ledger_recorded_at"), ["recorded_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_ledger_testid"), ["testid"], unique=False)

    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    _refuse_changes()


def _refuse_changes() -> None:
    """Against mistakes, not against an operator, who can drop a trigger: the chain of digests is against those."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
        )
        op.execute(
            "CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()"
        )
        return
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER ledger_refuses_{act.lower()} BEFORE {act} ON ledger "
            f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
        )
