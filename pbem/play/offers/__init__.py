"""Offers between players: takebacks, pauses, more time, a draw."""
