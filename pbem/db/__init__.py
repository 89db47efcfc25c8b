"""Where everything is kept: Postgres, by SQLAlchemy's typed models."""
