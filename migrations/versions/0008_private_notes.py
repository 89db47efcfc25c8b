"""Private notes of players, on matches and on people."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "private_notes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("about_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("num_nonnulls(match_id, about_id) = 1", name=op.f("ck_private_notes_subject")),
        # The release before merges accounts without a look at this table.
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_private_notes_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["about_id"], ["players.id"], name=op.f("fk_private_notes_about_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_private_notes_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_private_notes")),
        sa.UniqueConstraint("player_id", "match_id", name=op.f("uq_private_notes_player_id_match_id")),
        sa.UniqueConstraint("player_id", "about_id", name=op.f("uq_private_notes_player_id_about_id")),
    )
    op.create_index(op.f("ix_private_notes_about_id"), "private_notes", ["about_id"], unique=False)


def downgrade() -> None:
    op.drop_table("private_notes")
