"""Replays with the last mail: whoever wants it gets the whole match as one file when it is over."""

import sqlalchemy as sa
from alembic import op

revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('players', sa.Column('replay_along', sa.Boolean(), server_default='false', nullable=False))


def downgrade() -> None:
    op.drop_column('players', 'replay_along')
