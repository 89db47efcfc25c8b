"""Ratings of people, computed from values: no clock, no database, no randomness."""
