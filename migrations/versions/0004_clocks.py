"""Clocks that act: what they are charged with, when they stand still, what tables agree on, and plans."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('offers',
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('seat', sa.SmallInteger(), nullable=False),
    sa.Column('next_ply', sa.Integer(), nullable=False),
    sa.Column('detail', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('agreed', postgresql.ARRAY(sa.SmallInteger()), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_offers_match_id')),
    sa.PrimaryKeyConstraint('match_id', 'kind', name=op.f('pk_offers'))
    )
    op.create_table('standstills',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('why', sa.Text(), nullable=False),
    sa.Column('match_id', sa.Text(), nullable=True),
    sa.Column('player_id', sa.BigInteger(), nullable=True),
    sa.Column('domain', sa.Text(), nullable=True),
    sa.Column('begin_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('end_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('by_itself', sa.Boolean(), server_default='false', nullable=False),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_standstills_match_id')),
    sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_standstills_player_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_standstills'))
    )
    op.create_index('ix_standstills_all', 'standstills', ['begin_at'], unique=False, postgresql_where=sa.text('match_id IS NULL AND player_id IS NULL AND domain IS NULL'))
    op.create_index(op.f('ix_standstills_domain'), 'standstills', ['domain'], unique=False)
    op.create_index(op.f('ix_standstills_match_id'), 'standstills', ['match_id'], unique=False)
    op.create_index(op.f('ix_standstills_player_id'), 'standstills', ['player_id'], unique=False)
    op.create_table('plans',
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('lines', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('stage', sa.Integer(), nullable=False),
    sa.Column('length', sa.Integer(), nullable=False),
    sa.Column('missed', sa.Text(), nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_plans_holder_id')),
    sa.PrimaryKeyConstraint('holder_id', name=op.f('pk_plans'))
    )
    op.create_table('turns',
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('seat', sa.SmallInteger(), nullable=False),
    sa.Column('ply', sa.Integer(), nullable=False),
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('asked_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('moved_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('automatic', sa.Text(), nullable=True),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_turns_holder_id')),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_turns_match_id')),
    sa.PrimaryKeyConstraint('match_id', 'seat', 'ply', name=op.f('pk_turns'))
    )
    op.create_index(op.f('ix_turns_holder_id'), 'turns', ['holder_id'], unique=False)
    op.create_table('votes',
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('about', sa.SmallInteger(), nullable=False),
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('choice', sa.Text(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_votes_holder_id')),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_votes_match_id')),
    sa.PrimaryKeyConstraint('match_id', 'about', 'holder_id', name=op.f('pk_votes'))
    )
    op.add_column('deadlines', sa.Column('act_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('extra', sa.Integer(), server_default='0', nullable=False))
    op.add_column('deadlines', sa.Column('remind_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('reminded_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('nudged_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('late_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('ends_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('sought_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deadlines', sa.Column('waits', sa.SmallInteger(), server_default='0', nullable=False))
    op.add_column('deadlines', sa.Column('play_at', sa.DateTime(timezone=True), nullable=True))
    op.create_index('ix_deadlines_sought', 'deadlines', ['sought_at'], unique=False, postgresql_where=sa.text('sought_at IS NOT NULL'))
    op.execute('UPDATE deadlines SET act_at = due_at')
    op.create_index(op.f('ix_deadlines_act_at'), 'deadlines', ['act_at'], unique=False)
    op.drop_column('holders', 'draw_offered_at')
    op.add_column('holders', sa.Column('late', sa.SmallInteger(), server_default='0', nullable=False))
    op.add_column('holders', sa.Column('left', sa.Text(), nullable=True))
    op.add_column('holders', sa.Column('returns', sa.SmallInteger(), nullable=True))
    op.create_index('ix_holders_former', 'holders', ['match_id'], unique=False, postgresql_where=sa.text('until IS NOT NULL'))
    op.add_column('matches', sa.Column('on_time', sa.Text(), server_default='vote', nullable=False))
    op.add_column('matches', sa.Column('reliable', sa.SmallInteger(), nullable=True))
    op.add_column('players', sa.Column('quiet_from', sa.SmallInteger(), server_default='22', nullable=False))
    op.add_column('players', sa.Column('quiet_until', sa.SmallInteger(), server_default='8', nullable=False))
    op.add_column('players', sa.Column('reminders', sa.Text(), server_default='once', nullable=False))
    op.add_column('players', sa.Column('reminder_hour', sa.SmallInteger(), nullable=True))
    op.add_column('players', sa.Column('vacation_by_itself', sa.Boolean(), server_default='true', nullable=False))
    op.add_column('players', sa.Column('hold_minutes', sa.SmallInteger(), server_default='0', nullable=False))
    op.add_column('players', sa.Column('plays_forced', sa.Boolean(), server_default='false', nullable=False))
    op.add_column('players', sa.Column('bot', sa.Boolean(), server_default='false', nullable=False))
    op.create_index('uq_players_bots', 'players', ['name'], unique=True, postgresql_where=sa.text('bot'))
    op.add_column('seats', sa.Column('bank', sa.Integer(), nullable=True))
    op.add_column('submissions', sa.Column('hold_until', sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column('submissions', 'hold_until')
    op.drop_column('seats', 'bank')
    op.drop_index('uq_players_bots', table_name='players', postgresql_where=sa.text('bot'))
    op.drop_column('players', 'bot')
    op.drop_column('players', 'plays_forced')
    op.drop_column('players', 'hold_minutes')
    op.drop_column('players', 'vacation_by_itself')
    op.drop_column('players', 'reminder_hour')
    op.drop_column('players', 'reminders')
    op.drop_column('players', 'quiet_until')
    op.drop_column('players', 'quiet_from')
    op.drop_column('matches', 'reliable')
    op.drop_column('matches', 'on_time')
    op.drop_index('ix_holders_former', table_name='holders', postgresql_where=sa.text('until IS NOT NULL'))
    op.drop_column('holders', 'returns')
    op.drop_column('holders', 'left')
    op.drop_column('holders', 'late')
    op.add_column('holders', sa.Column('draw_offered_at', sa.Integer(), nullable=True))
    op.drop_index(op.f('ix_deadlines_act_at'), table_name='deadlines')
    op.drop_index('ix_deadlines_sought', table_name='deadlines', postgresql_where=sa.text('sought_at IS NOT NULL'))
    op.drop_column('deadlines', 'play_at')
    op.drop_column('deadlines', 'waits')
    op.drop_column('deadlines', 'sought_at')
    op.drop_column('deadlines', 'ends_at')
    op.drop_column('deadlines', 'late_at')
    op.drop_column('deadlines', 'nudged_at')
    op.drop_column('deadlines', 'reminded_at')
    op.drop_column('deadlines', 'remind_at')
    op.drop_column('deadlines', 'extra')
    op.drop_column('deadlines', 'act_at')
    op.drop_table('votes')
    op.drop_index(op.f('ix_turns_holder_id'), table_name='turns')
    op.drop_table('turns')
    op.drop_table('plans')
    op.drop_index(op.f('ix_standstills_player_id'), table_name='standstills')
    op.drop_index(op.f('ix_standstills_match_id'), table_name='standstills')
    op.drop_index(op.f('ix_standstills_domain'), table_name='standstills')
    op.drop_index('ix_standstills_all', table_name='standstills', postgresql_where=sa.text('match_id IS NULL AND player_id IS NULL AND domain IS NULL'))
    op.drop_table('standstills')
    op.drop_table('offers')
