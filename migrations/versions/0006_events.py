"""Leagues, ladders and fields, and the deals that several matches share."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.concurrent_index import build_index, drop_index

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(), nullable=False),
        sa.Column("time_control", sa.Text(), nullable=False),
        sa.Column("season", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("rules", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("opens_at", _TIME, nullable=False),
        sa.Column("draws_at", _TIME, nullable=True),
        sa.Column("starts_at", _TIME, nullable=True),
        sa.Column("ends_at", _TIME, nullable=True),
        sa.Column("ended_at", _TIME, nullable=True),
        sa.CheckConstraint("kind IN ('league', 'ladder', 'field')", name=op.f("ck_events_kind")),
        sa.CheckConstraint("state IN ('open', 'drawn', 'running', 'over')", name=op.f("ck_events_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_index("uq_events_season", "events", ["kind", "game", "season"], unique=True)
    op.create_index(
        "ix_events_unfinished", "events", ["kind", "game"], unique=False, postgresql_where=sa.text("state <> 'over'")
    )
    op.create_table(
        "entrants",
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="entered", nullable=False),
        sa.Column("grp", sa.SmallInteger(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("place_since", _TIME, nullable=True),
        sa.Column("stays", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("household", postgresql.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("entropy", sa.Text(), nullable=True),
        sa.Column("losses_on_time", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("asked_at", _TIME, nullable=True),
        sa.Column("entered_at", _TIME, nullable=False),
        sa.Column("left_at", _TIME, nullable=True),
        sa.Column("left_reason", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('entered', 'withdrawn')", name=op.f("ck_entrants_state")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_entrants_event_id")),
        # The release before merges accounts without a look at these tables.
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_entrants_player_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("event_id", "player_id", name=op.f("pk_entrants")),
    )
    op.create_index("ix_entrants_player", "entrants", ["player_id"], unique=False)
    op.create_table(
        "event_matches",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("grp", sa.SmallInteger(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("settled_at", _TIME, nullable=True),
        sa.Column("annulled_at", _TIME, nullable=True),
        sa.CheckConstraint("role IN ('counts', 'friendly')", name=op.f("ck_event_matches_role")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_event_matches_match_id")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_matches_event_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_event_matches")),
    )
    op.create_index("ix_event_matches_event", "event_matches", ["event_id", "grp"], unique=False)
    op.create_index(
        "ix_event_matches_to_settle",
        "event_matches",
        ["event_id"],
        unique=False,
        postgresql_where=sa.text("settled_at IS NULL"),
    )
    op.create_table(
        "ladder_challenges",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("challenger_id", sa.BigInteger(), nullable=False),
        sa.Column("challenged_id", sa.BigInteger(), nullable=False),
        sa.Column("challenger_place", sa.Integer(), nullable=False),
        sa.Column("challenged_place", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), server_default="offered", nullable=False),
        sa.Column("offered_at", _TIME, nullable=False),
        sa.Column("reminded_at", _TIME, nullable=True),
        sa.Column("answered_at", _TIME, nullable=True),
        sa.Column("ended_at", _TIME, nullable=True),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state IN ('offered', 'accepted', 'declined', 'lapsed', 'taken_back', 'over')",
            name=op.f("ck_ladder_challenges_state"),
        ),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_ladder_challenges_event_id")),
        sa.ForeignKeyConstraint(
            ["challenger_id"], ["players.id"], name=op.f("fk_ladder_challenges_challenger_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["challenged_id"], ["players.id"], name=op.f("fk_ladder_challenges_challenged_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_ladder_challenges_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_challenges")),
    )
    op.create_index("ix_ladder_challenges_event", "ladder_challenges", ["event_id", "offered_at"], unique=False)
    op.create_index("ix_ladder_challenges_challenger", "ladder_challenges", ["challenger_id"], unique=False)
    op.create_index("ix_ladder_challenges_challenged", "ladder_challenges", ["challenged_id"], unique=False)
    op.create_index(op.f("ix_ladder_challenges_match_id"), "ladder_challenges", ["match_id"], unique=False)
    op.create_index(
        "ix_ladder_challenges_unfinished",
        "ladder_challenges",
        ["event_id"],
        unique=False,
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "deal_sets",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("event_id", sa.BigInteger(), nullable=True),
        sa.Column("week", sa.Integer(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", postgresql.JSONB(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("entropies", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("seed", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("starts_at", _TIME, nullable=True),
        sa.Column("closes_at", _TIME, nullable=True),
        sa.Column("opened_at", _TIME, nullable=True),
        sa.CheckConstraint("kind IN ('there_and_back', 'field', 'week', 'imported')", name=op.f("ck_deal_sets_kind")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_deal_sets_event_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deal_sets")),
    )
    op.create_index(op.f("ix_deal_sets_event_id"), "deal_sets", ["event_id"], unique=False)
    op.create_index(
        "uq_deal_sets_week", "deal_sets", ["week"], unique=True, postgresql_where=sa.text("week IS NOT NULL")
    )
    op.create_index(
        "ix_deal_sets_closed",
        "deal_sets",
        ["created_at"],
        unique=False,
        postgresql_where=sa.text("opened_at IS NULL"),
    )
    op.add_column("players", sa.Column("weekly_mail", sa.Boolean(), server_default="false", nullable=False))
    op.create_index(
        "ix_players_weekly_mail", "players", ["id"], unique=False, postgresql_where=sa.text("weekly_mail")
    )
    op.add_column("matches", sa.Column("event_id", sa.BigInteger(), nullable=True))
    op.add_column("matches", sa.Column("set_id", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("set_place", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("withheld", sa.Text(), nullable=True))
    # Not validated: no match refers to any yet, and nobody waits while all are read.
    for column, table in (("event_id", "events"), ("set_id", "deal_sets")):
        name = op.f(f"fk_matches_{column}")
        op.create_foreign_key(name, "matches", table, [column], ["id"], postgresql_not_valid=True)
    build_index("ix_matches_event_id", "matches", ["event_id"], unique=False)
    build_index("ix_matches_set_id", "matches", ["set_id"], unique=False)


def downgrade() -> None:
    drop_index("ix_matches_set_id")
    drop_index("ix_matches_event_id")
    op.drop_column("matches", "withheld")
    op.drop_column("matches", "set_place")
    op.drop_column("matches", "set_id")
    op.drop_column("matches", "event_id")
    op.drop_index("ix_players_weekly_mail", table_name="players")
    op.drop_column("players", "weekly_mail")
    op.drop_table("deal_sets")
    op.drop_table("ladder_challenges")
    op.drop_table("event_matches")
    op.drop_table("entrants")
    op.drop_table("events")
