"""The chat of a match."""
