"""Counts: what was counted in all processes together, for those who watch the service."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0009'
down_revision = '0008'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'counts',
        sa.Column('name', sa.Text(), nullable=False),
        sa.Column('labels', postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column('value', sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint('name', 'labels', name=op.f('pk_counts')),
    )


def downgrade() -> None:
    op.drop_table('counts')
