"""The database's history, by Alembic."""
