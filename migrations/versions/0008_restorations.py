"""Restorations: that the database was brought back to an older state, and how far the tables have been told."""

import sqlalchemy as sa
from alembic import op

revision = '0008'
down_revision = '0007'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'restorations',
        sa.Column('id', sa.BigInteger(), sa.Identity(), nullable=False),
        sa.Column('lost_after', sa.DateTime(timezone=True), nullable=False),
        sa.Column('restored_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('told_to', sa.Text(), server_default='', nullable=False),
        sa.Column('told', sa.Integer(), server_default='0', nullable=False),
        sa.Column('done_at', sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_restorations')),
    )


def downgrade() -> None:
    op.drop_table('restorations')
