"""Threads: the mails that went to one seat of a match, the latest first, however many there were."""

from migrations.aside import build_index, drop_index

revision = '0013'
down_revision = '0012'
branch_labels = None
depends_on = None


def upgrade() -> None:
    build_index('ix_notices_thread', 'notices', ['match_id', 'holder_id', 'id'])
    drop_index('ix_notices_match_id')


def downgrade() -> None:
    build_index('ix_notices_match_id', 'notices', ['match_id'])
    drop_index('ix_notices_thread')
