"""Matches: who sits where, the replayed state, and what each viewer may see of it."""
