"""Answers to calls that programs send with a key; accounts that programs play for."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        # The release before merges accounts without a look at this table.
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_idempotency_keys_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "hash", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_created_at"), "idempotency_keys", ["created_at"], unique=False)
    op.add_column("players", sa.Column("bot_since", sa.DateTime(timezone=True), nullable=True))
    op.add_column("players", sa.Column("rates_as_bot", sa.Boolean(), server_default="false", nullable=False))
    op.add_column("seat_holders", sa.Column("rates_as_bot", sa.Boolean(), nullable=True))
    op.add_column("matches", sa.Column("bots", sa.Text(), server_default="none", nullable=False))


def downgrade() -> None:
    op.drop_column("matches", "bots")
    op.drop_column("seat_holders", "rates_as_bot")
    op.drop_column("players", "rates_as_bot")
    op.drop_column("players", "bot_since")
    op.drop_table("idempotency_keys")
