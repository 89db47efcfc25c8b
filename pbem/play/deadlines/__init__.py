"""Deadlines of the open turns, with their reminders and explanations."""
