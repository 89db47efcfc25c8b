"""Shared parts of the web application: context, errors, forms, the current user, rate limits."""
