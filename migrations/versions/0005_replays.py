"""Replays: comments on steps, statistics, matches that play on from others, and matches from elsewhere."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('matches', sa.Column('forked_from', sa.Text(), nullable=True))
    op.add_column('matches', sa.Column('forked_step', sa.Integer(), nullable=True))
    op.add_column('matches', sa.Column('imported_at', sa.DateTime(timezone=True), nullable=True))
    op.create_foreign_key(op.f('fk_matches_forked_from'), 'matches', 'matches', ['forked_from'], ['id'])
    op.create_index(op.f('ix_matches_forked_from'), 'matches', ['forked_from'], unique=False)
    op.add_column('seats', sa.Column('name', sa.Text(), nullable=True))
    op.create_table('comments',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('step', sa.Integer(), nullable=False),
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_comments_holder_id')),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_comments_match_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_comments'))
    )
    op.create_index(op.f('ix_comments_holder_id'), 'comments', ['holder_id'], unique=False)
    op.create_index('ix_comments_match_id', 'comments', ['match_id', 'step'], unique=False)
    op.create_table('statistics',
    sa.Column('subject', sa.Text(), nullable=False),
    sa.Column('data', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('stale', sa.Boolean(), server_default='false', nullable=False),
    sa.PrimaryKeyConstraint('subject', name=op.f('pk_statistics'))
    )
    op.create_index('ix_statistics_stale', 'statistics', ['subject'], unique=False, postgresql_where=sa.text('stale'))
    op.create_index('ix_matches_ended', 'matches', ['ended_at'], unique=False, postgresql_where=sa.text("state = 'over' AND seed IS NOT NULL"))
    op.create_table('animations',
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('language', sa.Text(), nullable=False),
    sa.Column('mark', sa.Text(), nullable=False),
    sa.Column('data', sa.LargeBinary(), nullable=False),
    sa.Column('made_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_animations_match_id')),
    sa.PrimaryKeyConstraint('match_id', 'language', name=op.f('pk_animations'))
    )
    op.create_index(op.f('ix_animations_made_at'), 'animations', ['made_at'], unique=False)


def downgrade() -> None:
    op.drop_table('animations')
    op.drop_index('ix_matches_ended', 'matches')
    op.drop_table('statistics')
    op.drop_table('comments')
    op.drop_column('seats', 'name')
    op.drop_constraint(op.f('fk_matches_forked_from'), 'matches', type_='foreignkey')
    op.drop_index(op.f('ix_matches_forked_from'), table_name='matches')
    op.drop_column('matches', 'imported_at')
    op.drop_column('matches', 'forked_step')
    op.drop_column('matches', 'forked_from')
