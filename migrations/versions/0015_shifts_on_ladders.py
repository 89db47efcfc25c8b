"""By how many places a match of a ladder has moved its players, so that it can be annulled."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("ladder_challenges", sa.Column("places_gained", sa.Integer(), server_default="0", nullable=False))
    op.add_column("ladder_challenges", sa.Column("places_lost", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("ladder_challenges", "places_lost")
    op.drop_column("ladder_challenges", "places_gained")
