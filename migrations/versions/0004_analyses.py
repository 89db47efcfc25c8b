"""Analyses of finished matches by robots, and who wishes theirs by mail."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "players", sa.Column("compares_with_robot", sa.Boolean(), server_default="false", nullable=False)
    )
    op.create_table(
        "analyses",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("edition", sa.SmallInteger(), nullable=False),
        sa.Column("asked_by", sa.BigInteger(), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("steps_done", sa.Integer(), server_default="0", nullable=False),
        sa.Column("steps", sa.Integer(), server_default="0", nullable=False),
        sa.Column("work", postgresql.JSONB(astext_type=sa.Text()), server_default="{}", nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("seconds", sa.Float(), server_default="0", nullable=False),
        sa.CheckConstraint("kind IN ('par', 'looking-back')", name=op.f("ck_analyses_kind")),
        # The release before merges accounts without a look at this table.
        sa.ForeignKeyConstraint(["asked_by"], ["players.id"], name=op.f("fk_analyses_asked_by"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_analyses_match_id")),
        sa.PrimaryKeyConstraint("match_id", "kind", "edition", name=op.f("pk_analyses")),
    )
    op.create_index(op.f("ix_analyses_asked_by"), "analyses", ["asked_by"], unique=False)
    op.create_index(
        "ix_analyses_waiting", "analyses", ["due_at"], unique=False, postgresql_where=sa.text("done_at IS NULL")
    )


def downgrade() -> None:
    op.drop_table("analyses")
    op.drop_column("players", "compares_with_robot")
