"""Ratings of people, and what each match did to them."""

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import build_index, drop_index

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("shows_rating", sa.Boolean(), server_default="false", nullable=False))
    op.add_column("matches", sa.Column("rated_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("matches", sa.Column("unrated_reason", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("annulled_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "ratings",
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        # The release before merges accounts without a look at these tables.
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_ratings_player_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "game", name=op.f("pk_ratings")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("rank", sa.SmallInteger(), nullable=False),
        sa.Column("lost_on_time", sa.Boolean(), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu_after", sa.Float(), nullable=False),
        sa.Column("sigma_after", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_rating_changes_match_id")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_rating_changes_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match_id", "player_id", name=op.f("pk_rating_changes")),
    )
    op.create_index("ix_rating_changes_player", "rating_changes", ["player_id", "game", "at"], unique=False)
    op.create_index("ix_rating_changes_at", "rating_changes", ["at", "match_id"], unique=False)
    build_index(
        "ix_matches_to_rate",
        "matches",
        ["ended_at", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'over' AND rated AND seed IS NOT NULL AND rated_at IS NULL"),
    )


def downgrade() -> None:
    drop_index("ix_matches_to_rate")
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    op.drop_column("matches", "annulled_at")
    op.drop_column("matches", "unrated_reason")
    op.drop_column("matches", "rated_at")
    op.drop_column("players", "shows_rating")
