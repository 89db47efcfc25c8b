"""Indexes of tables that are in use: built beside those who read and write, as long as that takes."""

from typing import Any

from alembic import op

LOCK_TIMEOUT = "2s"
"""So long a migration waits for a table before it lets go and is tried again."""


def build_index(name: str, table: str, columns: list[Any], **more: Any) -> None:
    """Build an index of a table that holds rows already; what an interrupted try has left is built anew.

    What the migration did before is committed then, so it stands alone in its file, or last.
    """
    with op.get_context().autocommit_block():
        # It waits for every transaction that began before, but keeps nobody waiting.
        op.execute("SET lock_timeout = 0")
        op.execute(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')
        op.create_index(name, table, columns, postgresql_concurrently=True, **more)
        op.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")


def drop_index(name: str) -> None:
    """Drop an index of a table that is in use."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.execute(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')
        op.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
