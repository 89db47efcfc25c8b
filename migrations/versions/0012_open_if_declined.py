"""Matches whose seats are open to others when an invitee declines."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("open_if_declined", sa.Boolean(), server_default="false", nullable=False))


def downgrade() -> None:
    op.drop_column("matches", "open_if_declined")
