"""Ladders: places that are won by challenges."""
