"""Composing: from a notification to a complete mail."""
