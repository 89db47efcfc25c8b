"""History at size: a match's log read from its key alone, and finished matches listed from any place on."""

import sqlalchemy as sa
from alembic import op

revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None

OVER = sa.text("state = 'over' AND public AND seed IS NOT NULL")


def upgrade() -> None:
    # The old key stands until the new one is whole. Meanwhile the log can be read but not added to: moves are
    # taken and wait to be judged. Not CONCURRENTLY: that waits for a second release, which waits for this one.
    op.execute(
        'CREATE UNIQUE INDEX log_whole ON log (match_id, number)'
        ' INCLUDE (ply, seat, move, event, "by", detail, "at", salt)'
    )
    op.execute('ALTER TABLE log DROP CONSTRAINT pk_log, ADD CONSTRAINT pk_log PRIMARY KEY USING INDEX log_whole')
    # Only what has been vacuumed is read from the key alone: not each fifth of the table is to wait, but each fiftieth.
    op.execute('ALTER TABLE log SET (autovacuum_vacuum_insert_scale_factor = 0.02)')
    op.drop_index('ix_matches_over', table_name='matches')
    op.create_index('ix_matches_over', 'matches', ['ended_at', 'id'], unique=False, postgresql_where=OVER)
    op.create_index('ix_matches_over_game', 'matches', ['game', 'ended_at', 'id'], unique=False, postgresql_where=OVER)


def downgrade() -> None:
    op.drop_index('ix_matches_over_game', table_name='matches')
    op.drop_index('ix_matches_over', table_name='matches')
    op.create_index('ix_matches_over', 'matches', ['ended_at'], unique=False, postgresql_where=OVER)
    op.execute('ALTER TABLE log RESET (autovacuum_vacuum_insert_scale_factor)')
    op.execute('CREATE UNIQUE INDEX log_narrow ON log (match_id, number)')
    op.execute('ALTER TABLE log DROP CONSTRAINT pk_log, ADD CONSTRAINT pk_log PRIMARY KEY USING INDEX log_narrow')
