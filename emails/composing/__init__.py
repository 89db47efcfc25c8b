"""Composing: from a notice to a whole mail."""
