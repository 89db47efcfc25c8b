"""Alembic's environment: runs migrations on the database of the caller's URL."""

import time

from alembic import context
from sqlalchemy import create_engine, pool

from migrations.concurrent_index import LOCK_TIMEOUT
from pbem.db.models import Base

url = context.config.get_main_option("sqlalchemy.url") or ""
engine = create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5})
LOCK = 8247104225
PAUSE = 0.2

with engine.connect() as connection:
    # Two releases that start at once take turns; the lock outlives the transactions, of which each migration has one.
    # It is polled for: a transaction that waited for it would block the concurrent build of an index.
    while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({LOCK})").scalar():
        connection.commit()
        time.sleep(PAUSE)
    # While a migration waits for a table, everybody after it waits too.
    connection.exec_driver_sql(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
    connection.commit()
    context.configure(
        connection=connection, target_metadata=Base.metadata, compare_type=True, transaction_per_migration=True
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
    connection.exec_driver_sql(f"SELECT pg_advisory_unlock({LOCK})")
    connection.commit()
