"""Events of the matches of players whose programs follow them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "player_events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("xid", sa.BigInteger(), server_default=sa.text("pg_current_xact_id()::text::bigint"), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("data", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        # The release before merges and erases accounts without a look at this table.
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_player_events_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_events")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_player_events_idempotency_key")),
    )
    op.create_index(op.f("ix_player_events_created_at"), "player_events", ["created_at"], unique=False)
    op.create_index("ix_player_events_order", "player_events", ["player_id", "xid", "id"], unique=False)


def downgrade() -> None:
    op.drop_table("player_events")
