"""Conditional moves: what players decide in advance, read, stored, matched and played."""
