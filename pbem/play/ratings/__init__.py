"""Ratings: stored as matches end, recomputed, and shown."""
