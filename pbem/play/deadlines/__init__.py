"""Deadlines: one for each turn that is open, with its reminders and the reasons for it."""
