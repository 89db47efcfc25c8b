"""Operators: who runs the service, what they did, which nobody can change, and whom they have shut out."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0010'
down_revision = '0009'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'operators',
        sa.Column('id', sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column('player_id', sa.BigInteger(), nullable=False),
        sa.Column('name', sa.Text(), nullable=False),
        sa.Column('totp_secret', sa.LargeBinary(), nullable=True),
        sa.Column('totp_confirmed_at', sa.DateTime(timezone=True), nullable=True),
        sa.Column('last_totp_step', sa.BigInteger(), nullable=True),
        sa.Column('appointed_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('appointed_by', sa.Text(), nullable=False),
        sa.Column('dismissed_at', sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_operators_player_id')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_operators')),
        sa.UniqueConstraint('player_id', name=op.f('uq_operators_player_id')),
    )
    op.create_table(
        'audit',
        sa.Column('id', sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column('at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('by', sa.Text(), nullable=False),
        sa.Column('operator_id', sa.BigInteger(), nullable=True),
        sa.Column('act', sa.Text(), nullable=False),
        sa.Column('subject', sa.Text(), nullable=False),
        sa.Column('about', sa.Text(), nullable=False),
        sa.Column('reason', sa.Text(), nullable=False),
        sa.Column('detail', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column('request', sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(['operator_id'], ['operators.id'], name=op.f('fk_audit_operator_id')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_audit')),
    )
    op.create_index('ix_audit_operator_id', 'audit', ['operator_id'])
    op.create_index('ix_audit_about', 'audit', ['subject', 'about', 'id'])
    op.execute(
        """
        CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'what operators did is never changed or deleted';
        END $$
        """
    )
    op.execute(
        'CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_stays()'
    )
    op.execute(
        'CREATE TRIGGER audit_stays_whole BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_stays()'
    )
    op.add_column('players', sa.Column('banned_at', sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        'bans',
        sa.Column('id', sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column('player_id', sa.BigInteger(), nullable=False),
        sa.Column('sentence', sa.Text(), nullable=False),
        sa.Column('since', sa.DateTime(timezone=True), nullable=False),
        sa.Column('lifted_at', sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(['player_id'], ['players.id'], name=op.f('fk_bans_player_id')),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_bans')),
    )
    op.create_index(
        'uq_bans_standing', 'bans', ['player_id'], unique=True, postgresql_where=sa.text('lifted_at IS NULL')
    )
    op.create_index('ix_bans_player_id', 'bans', ['player_id'])


def downgrade() -> None:
    op.drop_table('bans')
    op.drop_column('players', 'banned_at')
    op.drop_table('audit')
    op.execute('DROP FUNCTION audit_stays()')
    op.drop_table('operators')
