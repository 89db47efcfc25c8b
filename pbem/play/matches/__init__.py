"""Matches: their seats, their replayed state, and what each viewer may see."""
