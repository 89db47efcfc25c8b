"""People to avoid."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "avoidances",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("avoided_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        # The release before merges accounts without a look at this table.
        sa.ForeignKeyConstraint(["avoided_id"], ["players.id"], name=op.f("fk_avoidances_avoided_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_avoidances_player_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_avoidances")),
        sa.UniqueConstraint("player_id", "avoided_id", name=op.f("uq_avoidances_player_id_avoided_id")),
    )
    op.create_index(op.f("ix_avoidances_avoided_id"), "avoidances", ["avoided_id"], unique=False)


def downgrade() -> None:
    op.drop_table("avoidances")
