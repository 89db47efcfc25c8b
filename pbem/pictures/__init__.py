"""Drawings as files that can be shown anywhere: a board as a PNG, a match as an animated one."""
