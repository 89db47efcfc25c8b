"""Alembic's way to the database: the URL comes from whoever calls it."""

from alembic import context
from sqlalchemy import create_engine, pool

from pbem.db.models import Base

url = context.config.get_main_option("sqlalchemy.url") or ""
engine = create_engine(url, poolclass=pool.NullPool)
LOCK = 8247104225

with engine.connect() as connection:
    # Two releases that start at once take turns; the lock outlives the transactions, which are one to a migration.
    connection.exec_driver_sql(f"SELECT pg_advisory_lock({LOCK})")
    connection.commit()
    context.configure(
        connection=connection, target_metadata=Base.metadata, compare_type=True, transaction_per_migration=True
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
    connection.exec_driver_sql(f"SELECT pg_advisory_unlock({LOCK})")
    connection.commit()
