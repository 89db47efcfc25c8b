"""Events for all programs: a public table has an open seat."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("player_events", "player_id", nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM player_events WHERE player_id IS NULL")
    op.alter_column("player_events", "player_id", nullable=False)
