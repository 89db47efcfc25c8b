"""Indexes of tables that are in use: built concurrently, however long that takes."""

from typing import Any

from alembic import op

LOCK_TIMEOUT = "2s"
"""Time that a migration waits for a table before it is tried again."""


def build_index(name: str, table: str, columns: list[Any], **more: Any) -> None:
    """Build an index of a table with rows; the rest of an interrupted attempt is replaced.

    Everything before it in the migration is committed first, so it must be alone in its file, or last.
    """
    with op.get_context().autocommit_block():
        # It waits for every older transaction, but blocks none.
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
