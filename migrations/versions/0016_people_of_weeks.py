"""The numbers of people of each week, which pages show and do not count."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deal_sets", sa.Column("people", sa.Integer(), server_default="0", nullable=False))
    op.add_column("deal_sets", sa.Column("finished", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("deal_sets", "finished")
    op.drop_column("deal_sets", "people")
