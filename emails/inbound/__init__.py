"""Inbound mail: from the transports to rows in the database."""
