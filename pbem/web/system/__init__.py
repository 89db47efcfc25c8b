"""Health, metrics, status, and mail that arrives over HTTP."""
