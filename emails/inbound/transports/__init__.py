"""Transports of inbound mail; all end in `emails.inbound.accept`."""
