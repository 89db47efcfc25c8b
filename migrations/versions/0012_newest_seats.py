"""Newest seats: the last seats of somebody, and all who ever sat at a match, however many there are of others."""

import sqlalchemy as sa

from migrations.aside import build_index, drop_index

revision = '0012'
down_revision = '0011'
branch_labels = None
depends_on = None


def upgrade() -> None:
    build_index('ix_holders_newest', 'holders', ['player_id', 'id'])
    drop_index('ix_holders_player_id')
    build_index('ix_holders_match_id', 'holders', ['match_id'])
    drop_index('ix_holders_former')


def downgrade() -> None:
    build_index('ix_holders_former', 'holders', ['match_id'], postgresql_where=sa.text('until IS NOT NULL'))
    drop_index('ix_holders_match_id')
    build_index('ix_holders_player_id', 'holders', ['player_id'])
    drop_index('ix_holders_newest')
