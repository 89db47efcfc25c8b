"""Webhooks in the forms of chat services, and whom they mention there."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("webhooks", sa.Column("form", sa.Text(), server_default="json", nullable=False))
    op.add_column("webhooks", sa.Column("mention", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("webhooks", "mention")
    op.drop_column("webhooks", "form")
