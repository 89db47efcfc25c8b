"""Levels of robots, and what they think about."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The release before seats robots without a level, which are fair ones.
    op.add_column("players", sa.Column("robot_level", sa.Text(), nullable=True))
    op.add_column("players", sa.Column("robot_edition", sa.SmallInteger(), nullable=True))
    op.execute("UPDATE players SET robot_level = 'fair', robot_edition = 1 WHERE is_robot")
    op.create_table(
        "thoughts",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("edition", sa.SmallInteger(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("move", sa.Text(), nullable=True),
        sa.Column("playouts", sa.Integer(), nullable=True),
        sa.Column("tried", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("is_late", sa.Boolean(), server_default="false", nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_thoughts_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", "ply", name=op.f("pk_thoughts")),
    )
    op.create_index(
        "ix_thoughts_waiting", "thoughts", ["due_at"], unique=False, postgresql_where=sa.text("done_at IS NULL")
    )


def downgrade() -> None:
    op.drop_table("thoughts")
    op.drop_column("players", "robot_edition")
    op.drop_column("players", "robot_level")
