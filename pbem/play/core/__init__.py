"""Foundations of every use case: its context, tokens, rate limits and retry delays."""
