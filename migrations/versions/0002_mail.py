"""Mail that comes back, that waits and that talks."""

import sqlalchemy as sa
from alembic import op

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('allowances',
    sa.Column('key', sa.Text(), nullable=False),
    sa.Column('until', sa.DateTime(timezone=True), nullable=False),
    sa.Column('count', sa.Integer(), nullable=False),
    sa.PrimaryKeyConstraint('key', name=op.f('pk_allowances'))
    )
    op.create_index(op.f('ix_allowances_until'), 'allowances', ['until'], unique=False)
    op.create_table('domains',
    sa.Column('domain', sa.Text(), nullable=False),
    sa.Column('since', sa.DateTime(timezone=True), nullable=False),
    sa.Column('until', sa.DateTime(timezone=True), nullable=False),
    sa.Column('refusals', sa.Integer(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.PrimaryKeyConstraint('domain', name=op.f('pk_domains'))
    )
    op.create_table('polls',
    sa.Column('mailbox', sa.Text(), nullable=False),
    sa.Column('validity', sa.BigInteger(), nullable=False),
    sa.Column('uid', sa.BigInteger(), nullable=False),
    sa.PrimaryKeyConstraint('mailbox', name=op.f('pk_polls'))
    )
    op.create_table('suppressions',
    sa.Column('hash', sa.LargeBinary(), nullable=False),
    sa.Column('reason', sa.Text(), nullable=False),
    sa.Column('since', sa.DateTime(timezone=True), nullable=False),
    sa.Column('until', sa.DateTime(timezone=True), nullable=True),
    sa.CheckConstraint("reason IN ('bounce', 'complaint', 'unsubscribe', 'manual')", name=op.f('ck_suppressions_reason')),
    sa.PrimaryKeyConstraint('hash', name=op.f('pk_suppressions'))
    )
    op.create_table('messages',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('match_id', sa.Text(), nullable=False),
    sa.Column('holder_id', sa.BigInteger(), nullable=False),
    sa.Column('seat', sa.SmallInteger(), nullable=False),
    sa.Column('ply', sa.Integer(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('submission_id', sa.Text(), nullable=True),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['holder_id'], ['holders.id'], name=op.f('fk_messages_holder_id')),
    sa.ForeignKeyConstraint(['match_id'], ['matches.id'], name=op.f('fk_messages_match_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_messages')),
    sa.UniqueConstraint('submission_id', name=op.f('uq_messages_submission_id'))
    )
    op.create_index(op.f('ix_messages_match_id'), 'messages', ['match_id'], unique=False)
    op.create_table('failures',
    sa.Column('id', sa.BigInteger(), sa.Identity(always=False), nullable=False),
    sa.Column('notice_id', sa.BigInteger(), nullable=False),
    sa.Column('email', sa.Text(), nullable=False),
    sa.Column('kind', sa.Text(), nullable=False),
    sa.Column('status', sa.Text(), nullable=False),
    sa.Column('text', sa.Text(), nullable=False),
    sa.Column('at', sa.DateTime(timezone=True), nullable=False),
    sa.CheckConstraint("kind IN ('soft', 'hard', 'complaint', 'policy')", name=op.f('ck_failures_kind')),
    sa.ForeignKeyConstraint(['notice_id'], ['notices.id'], name=op.f('fk_failures_notice_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_failures')),
    sa.UniqueConstraint('notice_id', 'kind', name=op.f('uq_failures_notice_id_kind'))
    )
    op.create_index(op.f('ix_failures_email'), 'failures', ['email'], unique=False)
    op.add_column('addresses', sa.Column('score', sa.Double(), server_default='0', nullable=False))
    op.add_column('addresses', sa.Column('scored_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('addresses', sa.Column('failing_since', sa.DateTime(timezone=True), nullable=True))
    op.add_column('addresses', sa.Column('failure', sa.Text(), nullable=True))
    op.add_column('holders', sa.Column('talks', sa.Boolean(), nullable=True))
    op.add_column('holders', sa.Column('proposal', sa.Text(), nullable=True))
    op.add_column('holders', sa.Column('mail_stopped_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('letters', sa.Column('status', sa.Text(), server_default='kept', nullable=False))
    op.create_check_constraint(op.f('ck_letters_status'), 'letters', "status IN ('pending', 'kept', 'done', 'failed')")
    op.create_index('ix_letters_pending', 'letters', ['id'], unique=False, postgresql_where=sa.text("status = 'pending'"))
    op.add_column('notices', sa.Column('return_path', sa.LargeBinary(), nullable=True))
    op.create_unique_constraint(op.f('uq_notices_return_path'), 'notices', ['return_path'])
    op.add_column('submissions', sa.Column('confirmed_at', sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column('submissions', 'confirmed_at')
    op.drop_constraint(op.f('uq_notices_return_path'), 'notices', type_='unique')
    op.drop_column('notices', 'return_path')
    op.drop_index('ix_letters_pending', table_name='letters', postgresql_where=sa.text("status = 'pending'"))
    op.drop_constraint(op.f('ck_letters_status'), 'letters', type_='check')
    op.drop_column('letters', 'status')
    op.drop_column('holders', 'mail_stopped_at')
    op.drop_column('holders', 'proposal')
    op.drop_column('holders', 'talks')
    op.drop_column('addresses', 'failure')
    op.drop_column('addresses', 'failing_since')
    op.drop_column('addresses', 'scored_at')
    op.drop_column('addresses', 'score')
    op.drop_index(op.f('ix_failures_email'), table_name='failures')
    op.drop_table('failures')
    op.drop_index(op.f('ix_messages_match_id'), table_name='messages')
    op.drop_table('messages')
    op.drop_table('suppressions')
    op.drop_table('polls')
    op.drop_table('domains')
    op.drop_index(op.f('ix_allowances_until'), table_name='allowances')
    op.drop_table('allowances')
