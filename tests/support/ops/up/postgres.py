"""What tests of postgres share."""

import psycopg


def connect(url: str) -> psycopg.Connection:
    return psycopg.connect(url.replace("postgresql+psycopg:", "postgresql:"), autocommit=True)
