"""Timeouts, vacations, reminders, votes and substitutes."""
