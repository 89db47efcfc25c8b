"""Drawings as image files: a board as a PNG, a match as an animated PNG."""
