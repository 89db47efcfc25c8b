"""Push notifications: the browsers of players that are notified of turns, and what is sent to them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("push_replaces_mail", sa.Boolean(), server_default="false", nullable=False))
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("login_session_id", sa.BigInteger(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("signed_by", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        # The release before deletes players and sessions without a look at this table.
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_push_subscriptions_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["login_session_id"],
            ["login_sessions.id"],
            name=op.f("fk_push_subscriptions_login_session_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_subscriptions")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_subscriptions_endpoint")),
    )
    op.create_index(op.f("ix_push_subscriptions_player_id"), "push_subscriptions", ["player_id"])
    op.create_index(op.f("ix_push_subscriptions_login_session_id"), "push_subscriptions", ["login_session_id"])
    op.create_table(
        "push_messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("subscription_id", sa.BigInteger(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("mail_key", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", name=op.f("ck_push_messages_state")),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["push_subscriptions.id"],
            name=op.f("fk_push_messages_subscription_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["holder_id"], ["seat_holders.id"], name=op.f("fk_push_messages_holder_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_messages")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_push_messages_idempotency_key")),
    )
    op.create_index(op.f("ix_push_messages_subscription_id"), "push_messages", ["subscription_id"])
    op.create_index(op.f("ix_push_messages_mail_key"), "push_messages", ["mail_key"])
    op.create_index(
        "ix_push_messages_pending", "push_messages", ["due_at"], postgresql_where=sa.text("state = 'pending'")
    )


def downgrade() -> None:
    op.drop_table("push_messages")
    op.drop_table("push_subscriptions")
    op.drop_column("players", "push_replaces_mail")
