"""Outbound mail: from the outbox to a mail server."""
