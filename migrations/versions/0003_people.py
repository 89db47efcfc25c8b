"""People who sign in, tables that wait for players, deadlines, and what else than mail tells of a match."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('declinings',
    sa.Column('hash', sa.LargeBinary(), nullable=False),
    sa.Column('player_id', sa.BigInteger(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('hash', 'player_id', name=op.f('pk_declinings'))
    )
    op.create_table('sign_ins',
    sa.Column('id', sa.Text(), nullable=False),
    sa.Column('email', sa.Text(), nullable=False),
    sa.Column('then', sa.Text(), nullable=False),
    sa.Column('asked_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_sign_ins'))
    )
    op.create_index(op.f('ix_sign_ins_asked_at'), 'sign_ins', ['asked_at'], unique=False)
    op.create_table('api_keys',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('hash', sa.LargeBinary(), nullable=False),
    sa.Column('player_id', sa.BigInteger(), nullable=False),
    sa.Column('name', sa.Text(), nullable=False),
    sa.Column('scopes', postgresql.ARRAY(sa.Text()), nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_api_keys_player_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_api_keys')),
    sa.UniqueConstraint('hash', name=op.f('uq_api_keys_hash'))
    )
    op.create_index(op.f('ix_api_keys_player_id'), 'api_keys', ['player_id'], unique=False)
    op.create_table('feeds',
    sa.Column('hash', sa.LargeBinary(), nullable=False),
    sa.Column('player_id', sa.BigInteger(), nullable=False),
    sa.Column('generation', sa.SmallInteger(), nullable=False),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_feeds_player_id')),
    sa.PrimaryKeyConstraint('hash', name=op.f('pk_feeds'))
    )
    op.create_index(op.f('ix_feeds_player_id'), 'feeds', ['player_id'], unique=False)
    op.create_table('mutes',
    sa.Column('player_id', sa.BigInteger(), nullable=False),
    sa.Column('muted_id', sa.BigInteger(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['muted_id'], ['players.id'], name=op.f('fk_mutes_muted_id')),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_mutes_player_id')),
    sa.PrimaryKeyConstraint('player_id', 'muted_id', name=op.f('pk_mutes'))
    )
    op.create_table('passkeys',
    sa.Column('id', sa.LargeBinary(), nullable=False),
    sa.Column('player_id', sa.BigInteger(), nullable=False),
    sa.Column('name', sa.Text(), nullable=False),
    sa.Column('public_key', sa.LargeBinary(), nullable=False),
    sa.Column('signs', sa.BigInteger(), server_default='0', nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('used_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_passkeys_player_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_passkeys'))
    )
    op.create_index(op.f('ix_passkeys_player_id'), 'passkeys', ['player_id'], unique=False)
    op.create_table('visits',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('hash', sa.LargeBinary(), nullable=False),
    sa.Column('player_id', sa.BigInteger(), nullable=False),
    sa.Column('browser', sa.Text(), nullable=False),
    sa.Column('began_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('seen_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_visits_player_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_visits')),
    sa.UniqueConstraint('hash', name=op.f('uq_visits_hash'))
    )
    op.create_index(op.f('ix_visits_player_id'), 'visits', ['player_id'], unique=False)
    op.create_table('deadlines',
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('seat', sa.SmallInteger(), nullable=False),
    sa.Column('ply', sa.Integer(), nullable=False),
    sa.Column('asked_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('due_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_deadlines_match_id')),
    sa.PrimaryKeyConstraint('match_id', 'seat', name=op.f('pk_deadlines'))
    )
    op.create_index(op.f('ix_deadlines_due_at'), 'deadlines', ['due_at'], unique=False)
    op.create_table('webhooks',
    sa.Column('id', sa.Text(), nullable=False),
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('url', sa.Text(), nullable=False),
    sa.Column('secret', sa.LargeBinary(), nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('failing_since', sa.DateTime(timezone=True), nullable=True),
    sa.Column('failure', sa.Text(), nullable=True),
    sa.Column('ended_at', sa.DateTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_webhooks_holder_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_webhooks'))
    )
    op.create_index(op.f('ix_webhooks_holder_id'), 'webhooks', ['holder_id'], unique=False)
    op.create_table('calls',
    sa.Column('id', sa.Text(), nullable=False),
    sa.Column('webhook_id', sa.Text(), nullable=False),
    sa.Column('once', sa.Text(), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('due_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('state', sa.Text(), server_default='owed', nullable=False),
    sa.Column('attempts', sa.SmallInteger(), server_default='0', nullable=False),
    sa.Column('settled_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('error', sa.Text(), nullable=True),
    sa.CheckConstraint("state IN ('owed', 'made', 'failed')", name=op.f('ck_calls_state')),
    sa.ForeignKeyConstraint(['webhook_id'], ['webhooks.id'], name=op.f('fk_calls_webhook_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_calls')),
    sa.UniqueConstraint('once', name=op.f('uq_calls_once'))
    )
    op.create_index('ix_calls_owed', 'calls', ['due_at'], unique=False, postgresql_where=sa.text("state = 'owed'"))
    op.create_index(op.f('ix_calls_webhook_id'), 'calls', ['webhook_id'], unique=False)
    op.create_table('reports',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('about_id', sa.BigInteger(), nullable=False),
    sa.Column('message_id', sa.BigInteger(), nullable=True),
    sa.Column('said', sa.Text(), nullable=True),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['about_id'], ['holders.id'], name=op.f('fk_reports_about_id')),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_reports_holder_id')),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_reports_match_id')),
    sa.ForeignKeyConstraint(['message_id'], ['messages.id'], name=op.f('fk_reports_message_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_reports')),
    sa.UniqueConstraint('holder_id', 'about_id', 'message_id', name=op.f('uq_reports_holder_id_about_id_message_id'), postgresql_nulls_not_distinct=True)
    )
    op.create_index(op.f('ix_reports_match_id'), 'reports', ['match_id'], unique=False)
    op.add_column('addresses', sa.Column('main', sa.Boolean(), server_default='false', nullable=False))
    op.execute(
        'UPDATE addresses SET main = true WHERE email IN '
        '(SELECT DISTINCT ON (player_id) email FROM addresses ORDER BY player_id, created_at, email)'
    )
    op.create_index('uq_addresses_main', 'addresses', ['player_id'], unique=True, postgresql_where=sa.text('main'))
    op.add_column('matches', sa.Column('host_id', sa.BigInteger(), nullable=True))
    op.add_column('matches', sa.Column('words', sa.Text(), nullable=True))
    op.add_column('matches', sa.Column('clock', sa.Text(), server_default='none', nullable=False))
    op.add_column('matches', sa.Column('rated', sa.Boolean(), server_default='false', nullable=False))
    op.add_column('matches', sa.Column('follows', sa.Text(), nullable=True))
    op.add_column('matches', sa.Column('open_seats', sa.SmallInteger(), server_default='0', nullable=False))
    op.add_column('matches', sa.Column('nudged_at', sa.DateTime(timezone=True), nullable=True))
    op.execute(
        'UPDATE matches SET host_id = holders.player_id FROM holders '
        'WHERE holders.match_id = matches.id AND holders.seat = matches.creator AND holders.until IS NULL'
    )
    op.create_index(op.f('ix_matches_follows'), 'matches', ['follows'], unique=False)
    op.create_index(op.f('ix_matches_host_id'), 'matches', ['host_id'], unique=False)
    op.create_index('ix_matches_lobby', 'matches', ['created_at'], unique=False, postgresql_where=sa.text("state = 'inviting' AND public AND open_seats > 0"))
    op.create_index('ix_matches_over', 'matches', ['ended_at'], unique=False, postgresql_where=sa.text("state = 'over' AND public AND seed IS NOT NULL"))
    op.create_index('ix_matches_played', 'matches', ['started_at'], unique=False, postgresql_where=sa.text("state = 'running' AND public"))
    op.create_index('ix_matches_waiting', 'matches', ['created_at'], unique=False, postgresql_where=sa.text("state = 'inviting'"))
    op.create_foreign_key(op.f('fk_matches_follows'), 'matches', 'matches', ['follows'], ['id'])
    op.create_foreign_key(op.f('fk_matches_host_id'), 'matches', 'players', ['host_id'], ['id'])
    op.create_index(op.f('ix_notices_message_id'), 'notices', ['message_id'], unique=False)
    op.create_index(op.f('ix_notices_recipient'), 'notices', ['recipient'], unique=False)
    op.add_column('notices', sa.Column('sent_as', postgresql.JSONB(none_as_null=True), nullable=True))
    op.add_column('players', sa.Column('text_first', sa.Boolean(), server_default='false', nullable=False))
    op.add_column('players', sa.Column('distinct_colours', sa.Boolean(), server_default='false', nullable=False))
    op.add_column('players', sa.Column('feed_generation', sa.SmallInteger(), server_default='1', nullable=False))
    op.add_column('players', sa.Column('deleted_at', sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column('players', 'deleted_at')
    op.drop_column('players', 'feed_generation')
    op.drop_column('players', 'distinct_colours')
    op.drop_column('players', 'text_first')
    op.drop_column('notices', 'sent_as')
    op.drop_index(op.f('ix_notices_recipient'), table_name='notices')
    op.drop_index(op.f('ix_notices_message_id'), table_name='notices')
    op.drop_constraint(op.f('fk_matches_host_id'), 'matches', type_='foreignkey')
    op.drop_constraint(op.f('fk_matches_follows'), 'matches', type_='foreignkey')
    op.drop_index('ix_matches_played', table_name='matches', postgresql_where=sa.text("state = 'running' AND public"))
    op.drop_index('ix_matches_over', table_name='matches', postgresql_where=sa.text("state = 'over' AND public AND seed IS NOT NULL"))
    op.drop_index('ix_matches_waiting', table_name='matches', postgresql_where=sa.text("state = 'inviting'"))
    op.drop_index('ix_matches_lobby', table_name='matches', postgresql_where=sa.text("state = 'inviting' AND public AND open_seats > 0"))
    op.drop_index(op.f('ix_matches_host_id'), table_name='matches')
    op.drop_index(op.f('ix_matches_follows'), table_name='matches')
    op.drop_column('matches', 'nudged_at')
    op.drop_column('matches', 'open_seats')
    op.drop_column('matches', 'follows')
    op.drop_column('matches', 'rated')
    op.drop_column('matches', 'clock')
    op.drop_column('matches', 'words')
    op.drop_column('matches', 'host_id')
    op.drop_index('uq_addresses_main', table_name='addresses', postgresql_where=sa.text('main'))
    op.drop_column('addresses', 'main')
    op.drop_index(op.f('ix_reports_match_id'), table_name='reports')
    op.drop_table('reports')
    op.drop_index(op.f('ix_calls_webhook_id'), table_name='calls')
    op.drop_index('ix_calls_owed', table_name='calls', postgresql_where=sa.text("state = 'owed'"))
    op.drop_table('calls')
    op.drop_index(op.f('ix_webhooks_holder_id'), table_name='webhooks')
    op.drop_table('webhooks')
    op.drop_index(op.f('ix_deadlines_due_at'), table_name='deadlines')
    op.drop_table('deadlines')
    op.drop_index(op.f('ix_visits_player_id'), table_name='visits')
    op.drop_table('visits')
    op.drop_index(op.f('ix_passkeys_player_id'), table_name='passkeys')
    op.drop_table('passkeys')
    op.drop_table('mutes')
    op.drop_index(op.f('ix_feeds_player_id'), table_name='feeds')
    op.drop_table('feeds')
    op.drop_index(op.f('ix_api_keys_player_id'), table_name='api_keys')
    op.drop_table('api_keys')
    op.drop_index(op.f('ix_sign_ins_asked_at'), table_name='sign_ins')
    op.drop_table('sign_ins')
    op.drop_table('declinings')
