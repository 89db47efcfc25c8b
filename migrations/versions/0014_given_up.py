"""Given up: the mails that can still be sent, counted and let go of without looking at all others."""

from sqlalchemy import text

from migrations.aside import build_index, drop_index

revision = '0014'
down_revision = '0013'
branch_labels = None
depends_on = None


def upgrade() -> None:
    kept = text("state = 'failed' AND facts <> '{}'")
    build_index('ix_notices_given_up', 'notices', ['settled_at'], postgresql_where=kept)


def downgrade() -> None:
    drop_index('ix_notices_given_up')
