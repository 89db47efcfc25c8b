"""All tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# The primary key of the log covers all its columns: the entries of a match are read from the index alone.
ENTRY = ["ply", "seat", "move", "event", "by", "detail", "logged_at", "salt"]


def upgrade() -> None:
    op.create_table(
        "domain_backoffs",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retry_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name=op.f("pk_domain_backoffs")),
    )
    op.create_table(
        "heartbeats",
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("part", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "imap_cursors",
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("uid_validity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mailbox", name=op.f("pk_imap_cursors")),
    )
    op.create_table(
        "invitation_blocks",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash", "player_id", name=op.f("pk_invitation_blocks")),
    )
    op.create_table(
        "metric_values",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("labels", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", "labels", name=op.f("pk_metric_values")),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("time_zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("language", sa.Text(), server_default="en", nullable=False),
        sa.Column("receipts", sa.Text(), server_default="always", nullable=False),
        sa.Column("mail_frequency", sa.Text(), server_default="each turn", nullable=False),
        sa.Column("digest_hour", sa.SmallInteger(), server_default="8", nullable=False),
        sa.Column("link_only", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("attach_replay", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("mail_policy", sa.Text(), server_default="token+from", nullable=False),
        sa.Column("text_first", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("distinct_colours", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("feed_generation", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("quiet_from", sa.SmallInteger(), server_default="22", nullable=False),
        sa.Column("quiet_until", sa.SmallInteger(), server_default="8", nullable=False),
        sa.Column("reminders", sa.Text(), server_default="once", nullable=False),
        sa.Column("reminder_hour", sa.SmallInteger(), nullable=True),
        sa.Column("auto_vacation", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("hold_minutes", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("auto_play_forced", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("is_robot", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("banned_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_index("uq_players_robots", "players", ["name"], unique=True, postgresql_where=sa.text("is_robot"))
    op.create_table(
        "rate_limit_windows",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rate_limit_windows")),
    )
    op.create_index(op.f("ix_rate_limit_windows_expires_at"), "rate_limit_windows", ["expires_at"], unique=False)
    op.create_table(
        "restores",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("lost_after", sa.DateTime(timezone=True), nullable=False),
        sa.Column("restored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_notified_match_id", sa.Text(), server_default="", nullable=False),
        sa.Column("notified_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_restores")),
    )
    op.create_table(
        "service_mails",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("idempotency_key", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Text(), server_default="stored", nullable=False),
        sa.CheckConstraint("status IN ('pending', 'stored', 'done', 'failed')", name=op.f("ck_service_mails_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service_mails")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_service_mails_idempotency_key")),
    )
    op.create_index(
        "ix_service_mails_failed",
        "service_mails",
        ["received_at", "id"],
        unique=False,
        postgresql_where=sa.text("status = 'failed'"),
    )
    op.create_index(
        "ix_service_mails_pending",
        "service_mails",
        ["id"],
        unique=False,
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_table(
        "sign_in_links",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("redirect_path", sa.Text(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_links")),
    )
    op.create_index(op.f("ix_sign_in_links_requested_at"), "sign_in_links", ["requested_at"], unique=False)
    op.create_table(
        "statistics",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("data", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_stale", sa.Boolean(), server_default="false", nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_statistics")),
    )
    op.create_index(
        "ix_statistics_stale", "statistics", ["subject"], unique=False, postgresql_where=sa.text("is_stale")
    )
    op.create_table(
        "suppressions",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("suppressed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "reason IN ('bounce', 'complaint', 'unsubscribe', 'manual')", name=op.f("ck_suppressions_reason")
        ),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_suppressions")),
    )
    op.create_table(
        "addresses",
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounce_score", sa.Double(), server_default="0", nullable=False),
        sa.Column("bounce_score_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure_reason", sa.Text(), nullable=True),
        sa.Column("is_main", sa.Boolean(), server_default="false", nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id")),
        sa.PrimaryKeyConstraint("email", name=op.f("pk_addresses")),
    )
    op.create_index(op.f("ix_addresses_player_id"), "addresses", ["player_id"], unique=False)
    op.create_index("uq_addresses_main", "addresses", ["player_id"], unique=True, postgresql_where=sa.text("is_main"))
    op.create_table(
        "api_keys",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_api_keys_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_keys_hash")),
    )
    op.create_index(op.f("ix_api_keys_player_id"), "api_keys", ["player_id"], unique=False)
    op.create_table(
        "bans",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("banned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lifted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_bans_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bans")),
    )
    op.create_index("ix_bans_player_id", "bans", ["player_id"], unique=False)
    op.create_index("uq_bans_active", "bans", ["player_id"], unique=True, postgresql_where=sa.text("lifted_at IS NULL"))
    op.create_table(
        "feeds",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("generation", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_feeds_player_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_feeds")),
    )
    op.create_index(op.f("ix_feeds_player_id"), "feeds", ["player_id"], unique=False)
    op.create_table(
        "login_sessions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("user_agent", sa.Text(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_login_sessions_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_sessions")),
        sa.UniqueConstraint("hash", name=op.f("uq_login_sessions_hash")),
    )
    op.create_index(op.f("ix_login_sessions_player_id"), "login_sessions", ["player_id"], unique=False)
    op.create_table(
        "matches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("edition", sa.SmallInteger(), nullable=False),
        sa.Column("options", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("creator_seat", sa.SmallInteger(), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=True),
        sa.Column("invitation_text", sa.Text(), nullable=True),
        sa.Column("time_control", sa.Text(), server_default="none", nullable=False),
        sa.Column("timeout_policy", sa.Text(), server_default="vote", nullable=False),
        sa.Column("min_reliability", sa.SmallInteger(), nullable=True),
        sa.Column("rated", sa.Boolean(), server_default="false", nullable=False),
        sa.Column("previous_match_id", sa.Text(), nullable=True),
        sa.Column("forked_from_id", sa.Text(), nullable=True),
        sa.Column("forked_step", sa.Integer(), nullable=True),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("open_seats", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("host_reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=True),
        sa.Column("chain_head", sa.LargeBinary(), nullable=False),
        sa.Column("log_length", sa.Integer(), server_default="0", nullable=False),
        sa.Column("ply", sa.Integer(), server_default="1", nullable=False),
        sa.Column("next_ply", sa.Integer(), server_default="1", nullable=False),
        sa.Column("to_move", postgresql.ARRAY(sa.SmallInteger()), server_default="{}", nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.CheckConstraint("state IN ('inviting', 'running', 'over')", name=op.f("ck_matches_state")),
        sa.ForeignKeyConstraint(["forked_from_id"], ["matches.id"], name=op.f("fk_matches_forked_from_id")),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name=op.f("fk_matches_host_id")),
        sa.ForeignKeyConstraint(["previous_match_id"], ["matches.id"], name=op.f("fk_matches_previous_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(
        "ix_matches_ended",
        "matches",
        ["ended_at"],
        unique=False,
        postgresql_where=sa.text("state = 'over' AND seed IS NOT NULL"),
    )
    op.create_index(op.f("ix_matches_forked_from_id"), "matches", ["forked_from_id"], unique=False)
    op.create_index(op.f("ix_matches_host_id"), "matches", ["host_id"], unique=False)
    op.create_index(
        "ix_matches_lobby",
        "matches",
        ["created_at"],
        unique=False,
        postgresql_where=sa.text("state = 'inviting' AND public AND open_seats > 0"),
    )
    op.create_index(
        "ix_matches_over",
        "matches",
        ["ended_at", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'over' AND public AND seed IS NOT NULL"),
    )
    op.create_index(
        "ix_matches_over_game",
        "matches",
        ["game", "ended_at", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'over' AND public AND seed IS NOT NULL"),
    )
    op.create_index(op.f("ix_matches_previous_match_id"), "matches", ["previous_match_id"], unique=False)
    op.create_index(
        "ix_matches_running", "matches", ["id"], unique=False, postgresql_where=sa.text("state = 'running'")
    )
    op.create_index(
        "ix_matches_running_public",
        "matches",
        ["started_at"],
        unique=False,
        postgresql_where=sa.text("state = 'running' AND public"),
    )
    op.create_index(
        "ix_matches_waiting", "matches", ["created_at"], unique=False, postgresql_where=sa.text("state = 'inviting'")
    )
    op.create_table(
        "mutes",
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("muted_id", sa.BigInteger(), nullable=False),
        sa.Column("muted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["muted_id"], ["players.id"], name=op.f("fk_mutes_muted_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_mutes_player_id")),
        sa.PrimaryKeyConstraint("player_id", "muted_id", name=op.f("pk_mutes")),
    )
    op.create_table(
        "operators",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("totp_secret", sa.LargeBinary(), nullable=True),
        sa.Column("totp_confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_totp_step", sa.BigInteger(), nullable=True),
        sa.Column("appointed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("appointed_by", sa.Text(), nullable=False),
        sa.Column("dismissed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_operators_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operators")),
        sa.UniqueConstraint("player_id", name=op.f("uq_operators_player_id")),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_passkeys_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
    )
    op.create_index(op.f("ix_passkeys_player_id"), "passkeys", ["player_id"], unique=False)
    op.create_table(
        "animations",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("etag", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_animations_match_id")),
        sa.PrimaryKeyConstraint("match_id", "language", name=op.f("pk_animations")),
    )
    op.create_index(op.f("ix_animations_created_at"), "animations", ["created_at"], unique=False)
    op.create_table(
        "audit_log",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("acted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("operator_id", sa.BigInteger(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target_kind", sa.Text(), nullable=False),
        sa.Column("target_id", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["operator_id"], ["operators.id"], name=op.f("fk_audit_log_operator_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index(op.f("ix_audit_log_operator_id"), "audit_log", ["operator_id"], unique=False)
    op.create_index("ix_audit_log_target", "audit_log", ["target_kind", "target_id", "id"], unique=False)
    op.create_table(
        "clock_pauses",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("domain", sa.Text(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("automatic", sa.Boolean(), server_default="false", nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_clock_pauses_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_clock_pauses_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clock_pauses")),
    )
    op.create_index(op.f("ix_clock_pauses_domain"), "clock_pauses", ["domain"], unique=False)
    op.create_index(
        "ix_clock_pauses_global",
        "clock_pauses",
        ["started_at"],
        unique=False,
        postgresql_where=sa.text("match_id IS NULL AND player_id IS NULL AND domain IS NULL"),
    )
    op.create_index(op.f("ix_clock_pauses_match_id"), "clock_pauses", ["match_id"], unique=False)
    op.create_index(op.f("ix_clock_pauses_player_id"), "clock_pauses", ["player_id"], unique=False)
    op.create_table(
        "deadlines",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_action_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("extra_seconds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("nudged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("phase", sa.Text(), server_default="running", nullable=False),
        sa.Column("phase_started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("phase_ends_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wait_votes", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("robot_moves_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "phase IN ('running', 'grace', 'replacement', 'waiting')", name=op.f("ck_deadlines_phase")
        ),
        sa.CheckConstraint(
            "(phase = 'running') = (phase_started_at IS NULL) AND (phase = 'running') = (phase_ends_at IS NULL)",
            name=op.f("ck_deadlines_phase_times"),
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_deadlines_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_deadlines")),
    )
    op.create_index(op.f("ix_deadlines_due_at"), "deadlines", ["due_at"], unique=False)
    op.create_index(op.f("ix_deadlines_next_action_at"), "deadlines", ["next_action_at"], unique=False)
    op.create_index(
        "ix_deadlines_replacement",
        "deadlines",
        ["phase_started_at"],
        unique=False,
        postgresql_where=sa.text("phase = 'replacement'"),
    )
    op.create_table(
        "log_entries",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("move", sa.Text(), nullable=True),
        sa.Column("event", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("logged_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint(
            "(ply IS NULL) = (move IS NULL) AND (ply IS NULL) = (event IS NOT NULL)", name=op.f("ck_log_entries_kind")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_log_entries_match_id")),
        sa.PrimaryKeyConstraint("match_id", "number", name=op.f("pk_log_entries"), postgresql_include=ENTRY),
        sa.UniqueConstraint("match_id", "ply", name=op.f("uq_log_entries_match_id_ply")),
    )
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("default_entropy", sa.Text(), nullable=False),
        sa.Column("entropy", sa.Text(), nullable=True),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bank_seconds", sa.Integer(), nullable=True),
        sa.Column("imported_name", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_match_seats_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_match_seats")),
    )
    op.create_table(
        "offers",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("next_ply", sa.Integer(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("proposed_by", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("agreed", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("offered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("declined_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_offers_match_id")),
        sa.PrimaryKeyConstraint("match_id", "kind", name=op.f("pk_offers")),
    )
    op.create_table(
        "seat_holders",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("generation", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("shares_text", sa.Boolean(), nullable=True),
        sa.Column("premove", sa.Text(), nullable=True),
        sa.Column("late_moves", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("leave_reason", sa.Text(), nullable=True),
        sa.Column("reclaim_hand", sa.SmallInteger(), nullable=True),
        sa.Column("mail_stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("page_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seat_holders_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seat_holders_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat_holders")),
    )
    op.create_index("ix_seat_holders_match_id", "seat_holders", ["match_id"], unique=False)
    op.create_index("ix_seat_holders_newest", "seat_holders", ["player_id", "id"], unique=False)
    op.create_index(
        "uq_seat_holders_present",
        "seat_holders",
        ["match_id", "seat"],
        unique=True,
        postgresql_where=sa.text("left_at IS NULL"),
    )
    op.create_table(
        "chat_messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("submission_id", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_chat_messages_holder_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_chat_messages_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_messages")),
        sa.UniqueConstraint("submission_id", name=op.f("uq_chat_messages_submission_id")),
    )
    op.create_index(op.f("ix_chat_messages_match_id"), "chat_messages", ["match_id"], unique=False)
    op.create_table(
        "comments",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("commented_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_comments_holder_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_comments_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comments")),
    )
    op.create_index(op.f("ix_comments_holder_id"), "comments", ["holder_id"], unique=False)
    op.create_index("ix_comments_match_id", "comments", ["match_id", "step"], unique=False)
    op.create_table(
        "move_timings",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("moved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("automatic_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_move_timings_holder_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_move_timings_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", "ply", name=op.f("pk_move_timings")),
    )
    op.create_index(op.f("ix_move_timings_holder_id"), "move_timings", ["holder_id"], unique=False)
    op.create_table(
        "outbox_messages",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=True),
        sa.Column("holder_id", sa.BigInteger(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("return_path_hash", sa.LargeBinary(), nullable=True),
        sa.Column("in_reply_to", sa.Text(), nullable=True),
        sa.Column("render_data", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("render_preferences", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("shard", sa.SmallInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('pending', 'sent', 'dropped', 'failed')", name=op.f("ck_outbox_messages_state")),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_outbox_messages_holder_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_outbox_messages_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox_messages")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_outbox_messages_idempotency_key")),
        sa.UniqueConstraint("return_path_hash", name=op.f("uq_outbox_messages_return_path_hash")),
    )
    op.create_index(op.f("ix_outbox_messages_message_id"), "outbox_messages", ["message_id"], unique=False)
    op.create_index(
        "ix_outbox_messages_pending",
        "outbox_messages",
        ["shard", "due_at", "id"],
        unique=False,
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(op.f("ix_outbox_messages_recipient"), "outbox_messages", ["recipient"], unique=False)
    op.create_index(
        "ix_outbox_messages_retryable",
        "outbox_messages",
        ["finished_at"],
        unique=False,
        postgresql_where=sa.text("state = 'failed' AND render_data <> '{}'"),
    )
    op.create_index("ix_outbox_messages_thread", "outbox_messages", ["match_id", "holder_id", "id"], unique=False)
    op.create_table(
        "plans",
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("lines", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("log_length", sa.Integer(), nullable=False),
        sa.Column("dropped_reasons", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_plans_holder_id")),
        sa.PrimaryKeyConstraint("holder_id", name=op.f("pk_plans")),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("claimed_ply", sa.Integer(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("idempotency_key", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Text(), server_default="pending", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("judged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hold_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_submissions_holder_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_submissions_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_submissions_idempotency_key")),
    )
    op.create_index(
        "ix_submissions_failed",
        "submissions",
        ["received_at", "id"],
        unique=False,
        postgresql_where=sa.text("status = 'failed'"),
    )
    op.create_index("ix_submissions_message_id", "submissions", ["holder_id", "message_id"], unique=False)
    op.create_index(
        "ix_submissions_pending",
        "submissions",
        ["match_id", "received_at", "id"],
        unique=False,
        postgresql_where=sa.text("status = 'pending'"),
    )
    op.create_index("ix_submissions_received_at", "submissions", ["received_at"], unique=False, postgresql_using="brin")
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("generation", sa.SmallInteger(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_tokens_holder_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tokens")),
    )
    op.create_index(op.f("ix_tokens_holder_id"), "tokens", ["holder_id"], unique=False)
    op.create_table(
        "votes",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("subject_seat", sa.SmallInteger(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("voted_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_votes_holder_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_votes_match_id")),
        sa.PrimaryKeyConstraint("match_id", "subject_seat", "holder_id", name=op.f("pk_votes")),
    )
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("holder_id", sa.BigInteger(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["holder_id"], ["seat_holders.id"], name=op.f("fk_webhooks_holder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_holder_id"), "webhooks", ["holder_id"], unique=False)
    op.create_table(
        "abuse_reports",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("reporter_id", sa.BigInteger(), nullable=False),
        sa.Column("reported_holder_id", sa.BigInteger(), nullable=False),
        sa.Column("chat_message_id", sa.BigInteger(), nullable=True),
        sa.Column("reported_text", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["chat_message_id"], ["chat_messages.id"], name=op.f("fk_abuse_reports_chat_message_id")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_abuse_reports_match_id")),
        sa.ForeignKeyConstraint(
            ["reported_holder_id"], ["seat_holders.id"], name=op.f("fk_abuse_reports_reported_holder_id")
        ),
        sa.ForeignKeyConstraint(["reporter_id"], ["seat_holders.id"], name=op.f("fk_abuse_reports_reporter_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_abuse_reports")),
        sa.UniqueConstraint(
            "reporter_id",
            "reported_holder_id",
            "chat_message_id",
            name=op.f("uq_abuse_reports_reporter_id_reported_holder_id_chat_message_id"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index(op.f("ix_abuse_reports_match_id"), "abuse_reports", ["match_id"], unique=False)
    op.create_table(
        "bounce_reports",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("outbox_message_id", sa.BigInteger(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('soft', 'hard', 'complaint', 'policy')", name=op.f("ck_bounce_reports_kind")),
        sa.ForeignKeyConstraint(
            ["outbox_message_id"], ["outbox_messages.id"], name=op.f("fk_bounce_reports_outbox_message_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bounce_reports")),
        sa.UniqueConstraint("outbox_message_id", "kind", name=op.f("uq_bounce_reports_outbox_message_id_kind")),
    )
    op.create_index(op.f("ix_bounce_reports_email"), "bounce_reports", ["email"], unique=False)
    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("webhook_id", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('pending', 'delivered', 'failed')", name=op.f("ck_webhook_deliveries_state")),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_deliveries_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_webhook_deliveries_idempotency_key")),
    )
    op.create_index(
        "ix_webhook_deliveries_pending",
        "webhook_deliveries",
        ["due_at"],
        unique=False,
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(op.f("ix_webhook_deliveries_webhook_id"), "webhook_deliveries", ["webhook_id"], unique=False)
    # An index alone can be read where the visibility map is up to date.
    op.execute("ALTER TABLE log_entries SET (autovacuum_vacuum_insert_scale_factor = 0.02)")
    op.execute(
        """
        CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'the audit log is append-only';
        END $$
        """
    )
    for event, level in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER audit_log_is_append_only_{level.lower()} BEFORE {event} ON audit_log"
            f" FOR EACH {level} EXECUTE FUNCTION audit_log_is_append_only()"
        )


def downgrade() -> None:
    op.drop_table("webhook_deliveries")
    op.drop_table("bounce_reports")
    op.drop_table("abuse_reports")
    op.drop_table("webhooks")
    op.drop_table("votes")
    op.drop_table("tokens")
    op.drop_table("submissions")
    op.drop_table("plans")
    op.drop_table("outbox_messages")
    op.drop_table("move_timings")
    op.drop_table("comments")
    op.drop_table("chat_messages")
    op.drop_table("seat_holders")
    op.drop_table("offers")
    op.drop_table("match_seats")
    op.drop_table("log_entries")
    op.drop_table("deadlines")
    op.drop_table("clock_pauses")
    op.drop_table("audit_log")
    op.drop_table("animations")
    op.drop_table("passkeys")
    op.drop_table("operators")
    op.drop_table("mutes")
    op.drop_table("matches")
    op.drop_table("login_sessions")
    op.drop_table("feeds")
    op.drop_table("bans")
    op.drop_table("api_keys")
    op.drop_table("addresses")
    op.drop_table("suppressions")
    op.drop_table("statistics")
    op.drop_table("sign_in_links")
    op.drop_table("service_mails")
    op.drop_table("restores")
    op.drop_table("rate_limit_windows")
    op.drop_table("players")
    op.drop_table("metric_values")
    op.drop_table("invitation_blocks")
    op.drop_table("imap_cursors")
    op.drop_table("heartbeats")
    op.drop_table("domain_backoffs")
    op.execute("DROP FUNCTION audit_log_is_append_only()")
