"""The database: PostgreSQL with SQLAlchemy's typed models."""
