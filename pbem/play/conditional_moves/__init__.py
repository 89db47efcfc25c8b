"""Conditional moves: what players decide in advance, parsed, stored, matched and played."""
