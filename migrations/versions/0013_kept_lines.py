"""Lines of moves that players tried out and kept."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_lines",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("moves", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        # The release before merges accounts without a look at this table.
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_kept_lines_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_kept_lines_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_lines")),
    )
    op.create_index(op.f("ix_kept_lines_player_id"), "kept_lines", ["player_id"])
    op.create_index(op.f("ix_kept_lines_match_id"), "kept_lines", ["match_id"])


def downgrade() -> None:
    op.drop_table("kept_lines")
