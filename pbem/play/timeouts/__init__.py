"""Timeouts: what happens when the time of a turn has run out, and vacations."""
