"""Set aside: finding what could not be judged or read at once, however much else there is."""

import sqlalchemy as sa
from alembic import op

from migrations.aside import build_index

revision = '0011'
down_revision = '0010'
branch_labels = None
depends_on = None

FAILED = sa.text("status = 'failed'")


def upgrade() -> None:
    build_index('ix_submissions_failed', 'submissions', ['received_at', 'id'], postgresql_where=FAILED)
    # Rows come in the order of their time, so that one entry for many of them is enough, and costs next to nothing.
    build_index('ix_submissions_received_at', 'submissions', ['received_at'], postgresql_using='brin')
    build_index('ix_letters_failed', 'letters', ['received_at', 'id'], postgresql_where=FAILED)


def downgrade() -> None:
    op.drop_index('ix_letters_failed', table_name='letters')
    op.drop_index('ix_submissions_received_at', table_name='submissions')
    op.drop_index('ix_submissions_failed', table_name='submissions')
