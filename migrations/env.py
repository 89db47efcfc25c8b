"""Alembic's way to the database: the URL comes from whoever calls it."""

from alembic import context
from sqlalchemy import create_engine, pool

from pbem.db.models import Base

url = context.config.get_main_option("sqlalchemy.url") or ""
engine = create_engine(url, poolclass=pool.NullPool)
with engine.connect() as connection:
    context.configure(
        connection=connection, target_metadata=Base.metadata, compare_type=True, transaction_per_migration=True
    )
    with context.begin_transaction():
        # Two releases that start at once take turns.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(8247104225)")
        context.run_migrations()
